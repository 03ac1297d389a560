"""How often `arena versus` errs, and how many pairs it takes against a test of fixed size. Markdown.

Simulated tests, by default 20,000 for each figure; the first argument is another number. The rows have the
same scores and differ in how the two games of a pair go together. Aim: no error rate above what was asked,
nor below half of it, looking after every pair and after every eighth; about half the pairs of the fixed size.
"""

import sys
from math import ceil
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.standings.sprt import SCORES, Bounds, expected_score, log_likelihood_ratio

MOST_PAIRS = 20_000
STRETCH = 64  # pairs that are simulated in one go; a multiple of every round


def pairs_needed(bounds: Bounds, variance: float) -> int:
    """Return the pairs of a test of fixed size; `variance` is that of a pair's score."""
    apart = expected_score(bounds.high) - expected_score(bounds.low)
    deviations = NormalDist().inv_cdf(1 - bounds.alpha) + NormalDist().inv_cdf(1 - bounds.beta)
    return ceil(variance * (deviations / apart) ** 2)


def independent(score, advantage=0.0):
    """Return the frequencies of 0, 1 and 2 wins if only the side to move has some points of advantage."""
    low, high = -4000.0, 4000.0
    for _ in range(100):
        points = (low + high) / 2
        first, second = expected_score(points + advantage), expected_score(points - advantage)
        low, high = (points, high) if (first + second) / 2 < score else (low, points)
    return np.array([(1 - first) * (1 - second), first + second - 2 * first * second, first * second])


def with_splits(share):
    """Return the frequencies by score if a share of the pairs is split whatever the score."""
    return lambda score: np.array([1 - score - share / 2, share, score - share / 2])


TRUTHS = {
    "independent games": independent,
    "200 points for the side to move": lambda score: independent(score, 200.0),
    "85 % of pairs split": with_splits(0.85),
    "90 % of pairs split": with_splits(0.90),
    "10 % of pairs split": with_splits(0.10),
}
SETTINGS = [Bounds(), Bounds(alpha=0.1, beta=0.02)]


class Tests(NamedTuple):
    """How many of some simulated tests ended how, and the mean number of their pairs."""

    better: float
    not_better: float
    unknown: float
    pairs: float


def simulate(frequencies, bounds, every, tests, seed):
    """Return how tests end that are looked at after every so many pairs, and given up after MOST_PAIRS."""
    rng = np.random.default_rng(seed)
    counts, ends, pairs = np.zeros((tests, 1, 3)), [], []
    for played in range(0, MOST_PAIRS, STRETCH):
        rounds = rng.multinomial(every, frequencies, size=(len(counts), STRETCH // every))
        paths = counts + rounds.cumsum(axis=1)
        llr = log_likelihood_ratio(paths, bounds)
        is_end = (llr >= bounds.upper) | (llr <= bounds.lower)
        is_over, look = is_end.any(axis=1), is_end.argmax(axis=1)
        ends.extend(llr[is_over, look[is_over]] > 0)
        pairs.extend(played + every * (look[is_over] + 1))
        counts = paths[~is_over, -1:]
        if not len(counts):
            break
    total = sum(pairs) + MOST_PAIRS * len(counts)
    better = sum(ends)
    return Tests(better / tests, (len(ends) - better) / tests, len(counts) / tests, total / tests)


def fixed_size(truth, bounds):
    """Return the pairs of a test of fixed size, for the smaller of the variances under H0 and H1."""
    frequencies = [truth(expected_score(points)) for points in (bounds.low, bounds.high)]
    variances = [some @ SCORES**2 - (some @ SCORES) ** 2 for some in frequencies]
    return pairs_needed(bounds, min(variances))


def main():
    tests = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print(
        "| pairs | looks | asked | called better at +0 | turned away at +30 | undecided "
        "| mean pairs at +0 | at +30 | fixed size |"
    )
    print("|---" * 9 + "|")
    for bounds in SETTINGS:
        asked = f"{bounds.alpha:.0%}, {bounds.beta:.0%}"
        for name, truth in TRUTHS.items():
            for every in (1, 8):
                low, high = (
                    simulate(truth(expected_score(points)), bounds, every, tests, seed)
                    for seed, points in enumerate((bounds.low, bounds.high))
                )
                print(
                    f"| {name} | every {every} | {asked} | {low.better:.2%} | {high.not_better:.2%} "
                    f"| {max(low.unknown, high.unknown):.2%} | {low.pairs:.0f} | {high.pairs:.0f} "
                    f"| {fixed_size(truth, bounds)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
