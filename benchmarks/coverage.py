"""Do 95 % intervals hold the truth where bots repeat their strengths and weaknesses on openings? Markdown.

Tournaments are simulated from known strengths (normal, sd 200 points), with an effect of each bot on each
opening that is the same against everybody. The truth is the rating that the same bots get from infinitely
many openings: of the same pairings where these are known beforehand, of a round robin where they depend on
results (Swiss, ladder). Beside the coverage stand its standard error, by simulation, and the mean width, and
both again as they would be for units taken as independent. A second table tells how often `over_next` is
right. The first argument is the number of simulations, else 60; the second is a part of the names of the
cases to run, else all.
"""

import sys
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.formats.meeting import Settings
from arena.standings.ratings import rate
from arena.standings.scale import POINTS
from benchmarks import formats

COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]
EDGE = 100
SDS = (0, 75, 150, 300)
BINS = ((0.5, 0.7), (0.7, 0.9), (0.9, 0.98), (0.98, 1.01))


class Found(NamedTuple):
    """What simulations found: an entry for each, or for each two neighbours in a table (said, right)."""

    held: np.ndarray  # share of the intervals that hold the truth
    width: np.ndarray  # their mean width
    before: np.ndarray  # the same two as if units were independent
    narrow: np.ndarray
    games: np.ndarray
    said: np.ndarray  # `over_next`
    right: np.ndarray  # whether the upper one is truly better


def names(bots):
    return np.array([f"bot-{number:04}" for number in range(bots)], object)


def every_pair(bots):
    return np.triu_indices(bots, 1)


def gauntlet(bots):
    return np.zeros(bots - 1, np.int64), np.arange(1, bots)


def results(variant, opening, pairs, mover, wins, games):
    """A table of results, of the pairs in their order."""
    called = names(1 + max(pairs[1]))
    columns = [variant, opening, called[pairs[0]], called[pairs[1]], mover, wins, games]
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))


def chances(gap, mover):
    """The chance of winning with a lead of so many points, by who moves first."""
    return 1 / (1 + np.exp(-(gap + (-EDGE if mover else EDGE)) / POINTS))


def play(strengths, pairs, sd, variants, openings, chance):
    """Results of a tournament: a pair of games from each opening of each variant."""
    rows = []
    for variant in range(variants):
        for opening in range(openings):
            here = strengths + chance.normal(0, sd, len(strengths))
            for mover in (0, 1):
                wins = chance.random(len(pairs[0])) < chances(here[pairs[0]] - here[pairs[1]], mover)
                rows.append(results(f"v{variant}", opening, pairs, mover, wins.astype(int), 1))
    return pd.concat(rows, ignore_index=True)


def truth(strengths, pairs, sd):
    """The ratings that infinitely many openings would give: chances, integrated over the effects of two."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    gap = (strengths[pairs[0]] - strengths[pairs[1]])[:, None] + 2**0.5 * sd * nodes
    shares = [chances(gap, mover) @ weights / weights.sum() for mover in (0, 1)]
    rows = [
        results("v", 0, pairs, mover, np.round(1e6 * share).astype(int), 1_000_000)
        for mover, share in enumerate(shares)
    ]
    return rate(pd.concat(rows), prior=0.002).table.set_index("bot")["rating"]


def known_pairings(bots, variants, openings, pairs_of, sd, number):
    """Ratings of a tournament whose pairings are known beforehand, and the truth."""
    chance = np.random.default_rng([bots, variants, openings, sd, number])
    strengths, pairs = chance.normal(0, 200, bots), pairs_of(bots)
    ratings = rate(play(strengths, pairs, sd, variants, openings, chance))
    return ratings, truth(strengths, pairs, sd)


def by_format(name, bots, settings, sd, number):
    """Ratings at the end of a format that pairs by results, and the truth."""
    field = formats.Field(bots, [bots, sd, number], settings.sheets, sd, EDGE)
    *_, (_, ratings) = formats.play(field, name, settings, field.every_sheet)
    return ratings, truth(field.strength, every_pair(bots), sd)


def judge(ratings, true):
    """The row of `Found` that one tournament gives."""
    table = ratings.table.set_index("bot")
    miss, half = (table["rating"] - true[table.index]).abs(), (table["high"] - table["low"]) / 2
    plain = half / table["widening"]
    neighbours = list(zip(table.index, table.index[1:], strict=False))
    return Found(
        (miss <= half).mean(),
        2 * half.mean(),
        (miss <= plain).mean(),
        2 * plain.mean(),
        ratings.games,
        [max(0.5, ratings.superiority(*two)) for two in neighbours],  # less by rounding, where two are equal
        [true[one] > true[other] for one, other in neighbours],
    )


def gather(rows):
    return Found(*(np.hstack(column) for column in zip(*rows, strict=True)))


def simulate(tournament, sd, count):
    """What so many simulated tournaments show."""
    return gather([judge(*tournament(sd, number)) for number in range(count)])


def say(found):
    """The columns of a row: coverage, width, both as if units were independent, and games."""
    error = found.held.std() / len(found.held) ** 0.5
    now = f"{found.held.mean():.3f} +- {error:.3f} | {found.width.mean():.0f}"
    return f"{now} | {found.before.mean():.3f} | {found.narrow.mean():.0f} | {found.games.mean():,.0f} |"


def print_over_next(found):
    """Print how often the upper of two neighbours is truly better, by what `over_next` said."""
    print("\n| over_next | said | right | of |\n|---|---|---|---|")
    for low, high in BINS:
        inside = (low <= found.said) & (found.said < high)
        said, right = found.said[inside], found.right[inside]
        if len(said):
            print(f"| {low} to {min(high, 1)} | {said.mean():.3f} | {right.mean():.3f} | {len(said):,} |")


CASES = [(7, 1, 2), (7, 2, 3), (7, 2, 8), (30, 1, 2), (30, 2, 3), (30, 2, 8)]
LADDER = Settings(sheets=32)


def cases():
    """Tournaments by name, those known beforehand first."""
    for bots, variants, openings in CASES:
        shape = bots, variants, openings, every_pair
        yield f"{bots} bots, {variants} x {openings} openings", partial(known_pairings, *shape)
    yield "gauntlet of 30, 2 x 8 openings", partial(known_pairings, 30, 2, 8, gauntlet)
    yield "Swiss of 30, 8 rounds, 8 openings", partial(by_format, "swiss", 30, Settings(rounds=8))
    for bots, points in ((30, 150), (30, 100), (100, 150)):
        within = LADDER._replace(interval_points=points)
        yield f"ladder of {bots} to {points} points", partial(by_format, "ladder", bots, within)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    print("| tournament | sd of bot x opening | coverage | width | as if independent | width | games |")
    print("|---|---|---|---|---|---|---|")
    everything = []
    for name, tournament in cases():
        for sd in SDS if wanted in name else ():
            everything.append(simulate(tournament, sd, count))
            print(f"| {name} | {sd} | {say(everything[-1])}", flush=True)
    print_over_next(gather(everything))


if __name__ == "__main__":
    main()
