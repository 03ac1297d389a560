"""How often `arena versus` errs, how many pairs it takes, and how good its estimate is. Markdown.

Simulated tests, by default 20,000 for each figure; the first argument is another number. The rows have the
same scores and differ in how the two games of a pair go together. Aim: no error rate above what was asked,
nor below half of it, looking after every pair and after every eighth; about half the pairs of the fixed size.

The second table has a tenth of the tests, which stop at the first verdict. Its intervals are the printed one,
and that of a fixed number of pairs, as if the test had not stopped by itself. Aim: 94 % to 97 %, more where
nearly all pairs are split or no opening comes twice, and a median of the estimates near the truth. Where the
opening decides a pair, as between deterministic bots, the truth is the mean over all openings. Real ones are
in `python -m benchmarks.versus_openings`.
"""

import sys
from functools import cache
from math import ceil, log, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.standings.scale import POINTS
from arena.standings.sprt import SCORES, Bounds, Verdict, difference, expected_score, log_likelihood_ratio

MOST_PAIRS = 20_000
STRETCH = 64  # pairs that are simulated in one go; a multiple of every round
OPENINGS = 600
BY_OPENING = f"decided by {OPENINGS} openings, half split"
VERDICTS = (Verdict.UNKNOWN, Verdict.BETTER, Verdict.NOT_BETTER)  # by sign


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
DIFFERENCES = (-60, 0, 15, 30, 60, 150)


class Tests(NamedTuple):
    """How many of some simulated tests ended how, and the mean number of their pairs."""

    better: float
    not_better: float
    unknown: float
    pairs: float


def play(draw, bounds, tests):
    """Return the counts of pairs with which tests end, and the signs of their verdicts, 0 for none.

    `draw(alive, played)` gives the pairs between the next looks of the tests that go on, or none.
    """
    counts, alive, played, ended = np.zeros((tests, 1, 3)), np.arange(tests), 0, []
    while len(alive) and (rounds := draw(alive, played)).shape[1]:
        paths = counts + rounds.cumsum(axis=1)
        llr = log_likelihood_ratio(paths, bounds)
        is_end = (llr >= bounds.upper) | (llr <= bounds.lower)
        is_over, look = is_end.any(axis=1), is_end.argmax(axis=1)
        ended.append((paths[is_over, look[is_over]], np.sign(llr[is_over, look[is_over]])))
        counts, alive, played = paths[~is_over, -1:], alive[~is_over], played + STRETCH
    ended.append((counts[:, 0], np.zeros(len(alive))))
    return tuple(np.concatenate(parts).astype(int) for parts in zip(*ended, strict=True))


def chances(frequencies, every, seed):
    """Return a source of pairs that are drawn by chance, looked at after every so many."""
    rng = np.random.default_rng(seed)

    def draw(alive, played):
        looks = STRETCH // every if played < MOST_PAIRS else 0
        return rng.multinomial(every, frequencies, size=(len(alive), looks))

    return draw


def listed(outcomes):
    """Return a source of pairs whose outcomes are listed, a row for each test."""
    return lambda alive, played: np.eye(3)[outcomes[alive, played : played + STRETCH]]


def shuffled(outcomes, tests, seed):
    """Return a source of pairs whose outcomes are decided by openings, which come in any order."""
    rows = np.tile(outcomes, (tests, 1))
    return listed(np.random.default_rng(seed).permuted(rows, axis=1))


def simulate(frequencies, bounds, every, tests, seed):
    """Return how tests end that are looked at after every so many pairs, and given up after MOST_PAIRS."""
    counts, signs = play(chances(frequencies, every, seed), bounds, tests)
    shares = ((signs == sign).mean() for sign in (1, -1, 0))
    return Tests(*shares, counts.sum() / tests)


def fixed_size(truth, bounds):
    """Return the pairs of a test of fixed size, for the smaller of the variances under H0 and H1."""
    frequencies = [truth(expected_score(points)) for points in (bounds.low, bounds.high)]
    variances = [some @ SCORES**2 - (some @ SCORES) ** 2 for some in frequencies]
    return pairs_needed(bounds, min(variances))


@cache
def fixed_interval(counts):
    """Return estimate and interval in points of a number of pairs that was fixed beforehand."""
    weights = np.array(counts) + np.array([0.5, 0.0, 0.5])
    pairs = weights.sum()
    score = weights @ SCORES / pairs
    spread = sqrt(weights @ (SCORES - score) ** 2) / pairs / (score * (1 - score))
    reach = NormalDist().inv_cdf(0.975) * spread
    return tuple(POINTS * (log(score / (1 - score)) + by) for by in (0, -reach, reach))


printed_interval = cache(difference)


class Quality(NamedTuple):
    """How good estimates are: how often the interval holds the truth, and is above or below it; the bias."""

    held: float
    above: float
    below: float
    bias: float
    width: float


def judge(intervals, truth):
    """Return how good some estimates with their intervals are."""
    points, low, high = np.array(intervals).T
    is_above, is_below = low > truth, high < truth
    held = 1 - (is_above | is_below).mean()
    return Quality(held, is_above.mean(), is_below.mean(), np.median(points) - truth, np.median(high - low))


def sources(tests):
    """Yield kinds of pairs, truths in points and sources of such pairs, where they are possible."""
    for name, truth in TRUTHS.items():
        for points in DIFFERENCES:
            frequencies = truth(expected_score(points))
            if frequencies.min() >= 0:
                yield name, points, chances(frequencies, 1, seed=points + 1000)
    for points in DIFFERENCES:
        swept = round(OPENINGS * (expected_score(points) - 0.25))
        outcomes = np.repeat([0, 1, 2], [OPENINGS // 2 - swept, OPENINGS // 2, swept])
        score = SCORES[outcomes].mean()
        if swept <= OPENINGS // 2:
            yield BY_OPENING, POINTS * log(score / (1 - score)), shuffled(outcomes, tests, points + 1000)


def print_errors(tests):
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


def print_estimates(tests, bounds):
    print(
        "| pairs | truth | mean pairs | better | not better | holds | above | below | bias | width ", end=""
    )
    print("| fixed: holds | bias |")
    print("|---" * 12 + "|")
    for name, points, source in sources(tests):
        counts, signs = play(source, bounds, tests)
        rows = [tuple(row) for row in counts.tolist()]
        ends = zip(rows, signs, strict=True)
        found = judge([printed_interval(row, VERDICTS[sign], bounds) for row, sign in ends], points)
        naive = judge([fixed_interval(row) for row in rows], points)
        print(
            f"| {name} | {points:+.0f} | {counts.sum() / tests:.0f} | {(signs > 0).mean():.1%} "
            f"| {(signs < 0).mean():.1%} | {found.held:.1%} | {found.above:.1%} | {found.below:.1%} "
            f"| {found.bias:+.1f} | {found.width:.0f} | {naive.held:.1%} | {naive.bias:+.1f} |",
            flush=True,
        )


def main():
    tests = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print_errors(tests)
    print()
    print_estimates(max(1, tests // 10), Bounds())


if __name__ == "__main__":
    main()
