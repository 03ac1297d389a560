"""Do 95 % intervals hold the truth where bots repeat their strengths and weaknesses on openings? Markdown.

Tournaments are simulated from known strengths (normal, sd 200 points), with an effect of each bot on each
opening that is the same against everybody. The truth is the rating that the same bots get from very many
openings. Beside the coverage stand its standard error, by simulation, and the mean width, and both again as
they would be for units taken as independent. The first argument is the number of simulations, else 60.
"""

import sys

import numpy as np
import pandas as pd

from arena.standings.ratings import rate
from arena.standings.scale import POINTS

COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]
EDGE = 100 / POINTS
MANY = 400  # openings that stand for infinitely many


def names(bots):
    return np.array([f"bot-{number:03}" for number in range(bots)], object)


def every_pair(bots):
    return np.triu_indices(bots, 1)


def gauntlet(bots):
    return np.zeros(bots - 1, np.int64), np.arange(1, bots)


def chances(strengths, effects, one, other, mover):
    """The chance that `one` wins: strengths, effects on an opening, and who moves first."""
    gap = strengths[one] - strengths[other] + effects[one] - effects[other]
    return 1 / (1 + np.exp(-(gap + np.where(mover == 0, EDGE, -EDGE))))


def play(strengths, pairs, sd, variants, openings, chance):
    """Results of a tournament: a pair of games from each opening of each variant."""
    rows, called = [], names(len(strengths))
    for variant in range(variants):
        for opening in range(openings):
            effects = chance.normal(0, sd / POINTS, len(strengths))
            for mover in (0, 1):
                wins = chance.random(len(pairs[0])) < chances(strengths, effects, *pairs, mover)
                columns = [
                    f"v{variant}",
                    opening,
                    called[pairs[0]],
                    called[pairs[1]],
                    mover,
                    wins.astype(int),
                    1,
                ]
                rows.append(pd.DataFrame(dict(zip(COLUMNS, columns, strict=True))))
    return pd.concat(rows, ignore_index=True)


def truth(strengths, pairs, sd, chance):
    """The ratings that very many openings would give."""
    effects = chance.normal(0, sd / POINTS, (len(strengths), MANY))
    called, rows = names(len(strengths)), []
    for mover in (0, 1):
        share = chances(strengths[:, None], effects, *pairs, mover).mean(axis=1)
        wins = np.round(1e6 * share).astype(int)
        columns = ["v", 0, called[pairs[0]], called[pairs[1]], mover, wins, 1_000_000]
        rows.append(pd.DataFrame(dict(zip(COLUMNS, columns, strict=True))))
    return rate(pd.concat(rows), prior=0.002).table.sort_values("bot")["rating"].to_numpy()


def simulate(bots, variants, openings, sd, count, pairs_of=every_pair):
    """Coverage by simulation, mean widths, and both without the widening: four arrays."""
    found = []
    for number in range(count):
        chance = np.random.default_rng([bots, variants, openings, sd, number])
        strengths, pairs = chance.normal(0, 200 / POINTS, bots), pairs_of(bots)
        table = rate(play(strengths, pairs, sd, variants, openings, chance)).table.sort_values("bot")
        true = truth(strengths, pairs, sd, chance)
        miss, half = (table["rating"] - true).abs(), (table["high"] - table["low"]) / 2
        plain = half / table["widening"]
        found.append([(miss <= half).mean(), 2 * half.mean(), (miss <= plain).mean(), 2 * plain.mean()])
    return np.array(found).T


CASES = [(7, 1, 2), (7, 2, 3), (7, 2, 8), (30, 1, 2), (30, 2, 3), (30, 2, 8)]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print("| bots | openings | sd of bot x opening | coverage | width | as if independent | width |")
    print("|---|---|---|---|---|---|---|")
    for case, pairs_of in [*((case, every_pair) for case in CASES), ((30, 2, 8), gauntlet)]:
        for sd in (0, 75, 150, 300):
            bots, variants, openings = case
            held, width, before, narrow = simulate(*case, sd, count, pairs_of)
            error = held.std() / count**0.5
            kind = " in a gauntlet" * (pairs_of is gauntlet)
            now = f"{held.mean():.3f} +- {error:.3f} | {width.mean():.0f}"
            then = f"{before.mean():.3f} | {narrow.mean():.0f}"
            print(f"| {bots}{kind} | {variants} x {openings} | {sd} | {now} | {then} |", flush=True)


if __name__ == "__main__":
    main()
