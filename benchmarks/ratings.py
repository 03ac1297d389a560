"""What ratings cost: a million games of 10, 100 and 1,000 bots, and finding those that differ.

Aim: `rate` under 4 s and 1.5 GB, `cycles` under 3 s, and under 8 s for the games that differ, of some 12
plies each. The table is Markdown.
"""

import resource
import time

import numpy as np
import pandas as pd

import arena
from arena.standings.cycles import cycles
from arena.standings.distinct import distinct
from arena.standings.ratings import POINTS, rate

GAMES = 1_000_000
VARIANTS = np.array([f"variant-{number}" for number in range(5)], object)


def main():
    print("| bots | rows | games | units | rate | cycles |")
    print("|---|---|---|---|---|---|")
    for bots in (10, 100, 1000):
        results = drawn(bots)
        ratings, rated = timed(lambda results=results: rate(results))
        _, circled = timed(lambda results=results: cycles(results))
        counts = f"{bots:,} | {len(results):,} | {ratings.games:,} | {ratings.units:,}"
        print(f"| {counts} | {rated:.2f} s | {circled:.2f} s |")
    print(f"\nmost memory used: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    board = arena.variant("blockade-5x5").board
    games = moves_of(board.size)
    count, seconds = timed(lambda: distinct(games, {"blockade-5x5": board}))
    print(f"{count:,} of {len(games):,} games differ: {seconds:.2f} s")


def timed(work):
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


def drawn(bots):
    """Results of a round robin, in any order: both sides of each opening, repeated up to a million games."""
    chance = np.random.default_rng(bots)
    one, other = np.triu_indices(bots, 1)
    openings = min(100, max(1, GAMES // (2 * len(one))))
    repeats = max(1, GAMES // (2 * len(one) * openings))
    one, other = np.repeat(one, openings), np.repeat(other, openings)
    opening = np.tile(np.arange(openings), len(one) // openings)
    # Each opening is one of some variant; where there is only one, each two bots have another variant.
    variant = VARIANTS[opening % 5 if openings > 1 else (one + other) % 5]
    strength = chance.normal(0, 200 / POINTS, bots)
    names = np.array([f"bot-{number:04}" for number in range(bots)], object)
    halves = []
    for first, second in ((one, other), (other, one)):
        odds = strength[first] - strength[second] + 0.3
        wins = chance.binomial(repeats, 1 / (1 + np.exp(-odds)))
        columns = {"variant": variant, "opening": opening, "first": names[first], "second": names[second]}
        halves.append(pd.DataFrame({**columns, "mover": 0, "wins": wins, "games": repeats}))
    return pd.concat(halves, ignore_index=True).sample(frac=1, random_state=1)


def moves_of(cells):
    """A million games of 9 to 15 plies."""
    chance = np.random.default_rng(1)
    orders = chance.random((GAMES, cells)).argsort(axis=1).tolist()
    plies = chance.integers(9, 16, GAMES).tolist()
    return [
        ("blockade-5x5", f"bot-{number % 50}", f"bot-{number % 49}", " ".join(map(str, order[:length])))
        for number, (order, length) in enumerate(zip(orders, plies, strict=True))
    ]


if __name__ == "__main__":
    main()
