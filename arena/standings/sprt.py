"""Is A better than B? A generalised SPRT on pairs of games, which may be looked at after every pair.

This is the sequential probability ratio test of fishtest (there "pentanomial", with draws; without draws a
pair has three outcomes). The observations are pairs: one opening, sides swapped, of which A wins 0, 1 or 2.
The games of a pair are not independent (an opening that is won for the side to move gives 1 and 1), but pairs
are. `counts` are the pairs of each outcome, in that order. Everything here but `first_verdict` is a function
of them: the order of the pairs does not matter. Nothing here knows of bots, games or the log.

H0 says that A is stronger by `low` Elo points, H1 by `high`; d points are an expected score of
1 / (1 + 10 ** (-d / 400)). How often pairs are split is not known, so the test statistic is the generalised
likelihood ratio: the most likely frequencies of outcomes that have the mean score of H1, against those that
have that of H0. The test ends at Wald's limits. Each likelihood has one unknown, a multiplier, whose equation
with three outcomes is a quadratic. Refused: finding its root by iteration, which is slower and no more exact.

Each outcome is credited with `BLANK` pairs beforehand. Without them a short run looks as if what it has not
seen could not happen: where 90 % of pairs are split, a bot 30 points better was turned away in 5.7 % of tests
for the 5 % asked. With half a pair the errors there fell to 2.3 %. With an eighth all errors stayed between
half of what was asked and what was asked, as far as simulations can tell, for independent pairs, mostly split
ones and mostly swept ones, looking after every pair and after every eighth (`python -m benchmarks.versus`).

Refused, because the default bounds do not need it: a least number of pairs, since the ratio stays below 0.11
per pair, whatever the results, and no verdict comes before pair 33; and Siegmund's correction for how far the
ratio overshoots its limits, which with looks at every eighth pair turns 5 % into 4 %. With bounds 200 points
apart it turns them into 1 % to 2.3 %, where a round is half the test: on the safe side.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import exp, log, nan, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.standings.scale import POINTS

BLANK = 0.125
"""Pairs that every outcome is credited with beforehand, for the likelihood ratio."""

SCORES = np.array([0.0, 0.5, 1.0])
"""A's score in a pair by how many of the two games it won."""

_NORMAL = NormalDist()


class Bounds(NamedTuple):
    """The two hypotheses in points, low below high, and how often each may be rejected though it holds."""

    low: float = 0.0
    high: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)


class Verdict(StrEnum):
    """What the pairs so far say: A is better by more than `low`, by less than `high`, or not known yet."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNKNOWN = "unknown"


class Difference(NamedTuple):
    """By how many points A is stronger, with the 95 % interval."""

    points: float
    low: float
    high: float


class State(NamedTuple):
    """Where a test stands after pairs with 0, 1 and 2 wins of A."""

    counts: tuple[int, int, int]
    llr: float
    verdict: Verdict

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """A's wins per game, NaN before the first pair."""
        _, split, swept = self.counts
        return (split + 2 * swept) / (2 * self.pairs) if self.pairs else nan

    @property
    def difference(self) -> Difference:
        """The estimated difference, from the spread between pairs; finite even if A won everything."""
        return difference(self.counts)


def test(counts: tuple[int, int, int], bounds: Bounds) -> State:
    """Return what the pairs with 0, 1 and 2 wins of A say so far; the test ends with the first verdict."""
    llr = float(log_likelihood_ratio(counts, bounds))
    return State(counts, llr, verdict(llr, bounds))


def first_verdict(pairs: Sequence[int], bounds: Bounds) -> State:
    """Return the verdict of the first pair at which the test ends, or how it stands after the last one.

    `pairs` are A's wins in each, in order. The counts are of all of them: what came after counts for the
    estimate, and never for the verdict.
    """
    ratios = np.atleast_1d(log_likelihood_ratio(np.cumsum(np.eye(3)[list(pairs)], axis=0), bounds))
    ended = np.flatnonzero((ratios >= bounds.upper) | (ratios <= bounds.lower))
    llr = float(ratios[ended[0] if len(ended) else -1]) if pairs else 0.0
    return State((pairs.count(0), pairs.count(1), pairs.count(2)), llr, verdict(llr, bounds))


def verdict(llr: float, bounds: Bounds) -> Verdict:
    """Return what a log likelihood ratio says."""
    if llr >= bounds.upper:
        return Verdict.BETTER
    return Verdict.NOT_BETTER if llr <= bounds.lower else Verdict.UNKNOWN


def log_likelihood_ratio(counts: ArrayLike, bounds: Bounds) -> np.float64 | NDArray[np.float64]:
    """Return the log likelihood ratio of H1 to H0 for counts, or an array of them along the last axis."""
    credited = np.asarray(counts, dtype=np.float64) + BLANK
    low, high = (_shortfall(credited, expected_score(points)) for points in (bounds.low, bounds.high))
    return low - high


def expected_score(points: float) -> float:
    """Return the expected score of a bot that is stronger by some points."""
    return 1 / (1 + exp(-points / POINTS))


def difference(counts: tuple[int, int, int]) -> Difference:
    """Return by how many points A is stronger, as if half a pair had been won and half a pair lost besides.

    The interval is that of a number of pairs fixed beforehand. A test stops where the difference looks large:
    in simulations that shifted it by up to 10 points, and the interval held the truth in 90 % to 96 %.
    """
    weights = np.array(counts) + np.array([0.5, 0.0, 0.5])
    pairs = float(weights.sum())
    score = float(weights @ SCORES) / pairs
    variance = float(weights @ (SCORES - score) ** 2) / pairs
    # On the scale of points, where the interval never goes beyond a score of 0 or 1.
    logit, spread = log(score / (1 - score)), sqrt(variance / pairs) / (score * (1 - score))
    reach = _NORMAL.inv_cdf(0.975) * spread
    return Difference(*(POINTS * value for value in (logit, logit - reach, logit + reach)))


def _shortfall(weights: NDArray[np.float64], mean: float) -> np.float64 | NDArray[np.float64]:
    """Return by how much the best log likelihood with a mean score falls short of the best of all.

    The most likely frequencies of that mean are those seen, each divided by 1 + multiplier * (score - mean).
    """
    away = SCORES - mean
    factors = 1 + _multiplier(weights, away)[..., np.newaxis] * away
    shortfall: np.float64 | NDArray[np.float64] = (weights * np.log(factors)).sum(axis=-1)
    return shortfall


def _multiplier(weights: NDArray[np.float64], away: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the root of sum(weights * away / (1 + root * away)) at which all three divisors are positive.

    Multiplied out it is constant + linear * x + square * x * x, which falls through 0 at that root and rises
    through it at the other. Of the two ways to write a root, each is exact where the other would subtract
    nearly equal numbers.
    """
    constant = weights @ away
    linear = weights @ (away * (away.sum() - away))
    square = weights.sum(axis=-1) * away.prod()
    slope = np.sqrt(linear**2 - 4 * constant * square)
    numerator = np.where(linear > 0, -linear - slope, 2 * constant)
    return np.asarray(numerator / np.where(linear > 0, 2 * square, slope - linear))
