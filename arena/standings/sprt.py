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

Between deterministic bots on the real openings of the rule books errors are as rare, and rarer where a test
runs out of openings (`python -m benchmarks.versus_openings`).

Refused, because the default bounds do not need it: a least number of pairs, since the ratio stays below 0.11
per pair, whatever the results, and no verdict comes before pair 33; and Siegmund's correction for how far the
ratio overshoots its limits, which with looks at every eighth pair turns 5 % into 4 %. With bounds 200 points
apart it turns them into 1 % to 2.3 %, where a round is half the test: on the safe side.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import exp, log, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.standings.scale import POINTS
from arena.standings.stopping import Stop, estimate_drift

BLANK = 0.125
"""Pairs that every outcome is credited with beforehand, for the likelihood ratio."""

SCORES = np.array([0.0, 0.5, 1.0])
"""A's score in a pair by how many of the two games it won."""

Counts = tuple[int, int, int]
"""The pairs of which A won 0, 1 and 2 games."""


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

    @property
    def middle(self) -> float:
        """The difference that the bounds are equally far from, in points."""
        return (self.low + self.high) / 2


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
    """Where a test with some bounds stands after some pairs; `later` are those of them after its end."""

    counts: Counts
    llr: float
    verdict: Verdict
    later: Counts = (0, 0, 0)
    bounds: Bounds = Bounds()

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
    def at_end(self) -> State:
        """The state at the pair at which the test ended, without what came later."""
        lost, split, swept = (every - later for every, later in zip(self.counts, self.later, strict=True))
        return self._replace(counts=(lost, split, swept), later=(0, 0, 0))

    @property
    def difference(self) -> Difference:
        """The difference estimated at the end of the test; finite even if A won everything."""
        return difference(self.at_end.counts, self.verdict, self.bounds)


def test(counts: Counts, bounds: Bounds) -> State:
    """Return what the pairs with 0, 1 and 2 wins of A say so far; the test ends with the first verdict."""
    llr = float(log_likelihood_ratio(counts, bounds))
    return State(counts, llr, verdict(llr, bounds), bounds=bounds)


def first_verdict(pairs: Sequence[int], bounds: Bounds) -> State:
    """Return the verdict of the first pair at which the test ends, or how it stands after the last one.

    `pairs` are A's wins in each, in order. The counts are of all of them. What came after the end counts
    neither for the verdict nor for the estimate, so neither depends on how rounds are cut. In simulations
    that made intervals 1 % to 3 % wider.
    """
    ratios = np.atleast_1d(log_likelihood_ratio(np.cumsum(np.eye(3)[list(pairs)], axis=0), bounds))
    ended = np.flatnonzero((ratios >= bounds.upper) | (ratios <= bounds.lower))
    last = int(ended[0]) if len(ended) else len(pairs) - 1
    llr = float(ratios[last]) if pairs else 0.0
    return State(_count(pairs), llr, verdict(llr, bounds), _count(pairs[last + 1 :]), bounds)


def _count(pairs: Sequence[int]) -> Counts:
    return pairs.count(0), pairs.count(1), pairs.count(2)


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


def difference(counts: Counts, verdict: Verdict, bounds: Bounds) -> Difference:
    """Return by how many points A is stronger if a test ended with these pairs; UNKNOWN if they ran out.

    The estimate is too high about as often as too low, and the interval is that of a test which may stop
    early (`standings.stopping`). The difference from the middle of the bounds, times the information of the
    pairs, is seen as a motion between barriers. The barrier that was reached is put where the motion was, so
    how far the ratio overshoots its limit is in it; Siegmund's correction changed nothing in simulations.
    There the interval held the truth in 94 % to 99 %, that of a fixed number of pairs in 90 % to 97 %.
    """
    logit, spread = _standardise(counts)
    drifts = estimate_drift(_stop(logit - bounds.middle / POINTS, spread**-2, verdict, bounds))
    return Difference(*(bounds.middle + POINTS * drift for drift in drifts))


def _standardise(counts: Counts) -> tuple[float, float]:
    """Return the logit of A's score and its standard error, both finite even if all pairs are alike.

    On this scale an interval never goes beyond a score of 0 or 1. For the score half a game (a quarter of a
    pair) is won and half a game lost besides (Anscombe), for the standard error half a pair each: there less
    would trust a few pairs that come out alike too much.
    """
    score, _ = _moments(counts, 0.25)
    safe, variance = _moments(counts, 0.5)
    return log(score / (1 - score)), sqrt(variance) / (safe * (1 - safe))


def _moments(counts: Counts, credit: float) -> tuple[float, float]:
    """Return A's score and its variance, with so many pairs won and as many lost besides."""
    weights = np.array(counts) + np.array([credit, 0.0, credit])
    pairs = float(weights.sum())
    score = float(weights @ SCORES) / pairs
    return score, float(weights @ (SCORES - score) ** 2) / pairs**2


def _stop(away: float, information: float, verdict: Verdict, bounds: Bounds) -> Stop:
    """Return a test's end as that of a motion; `away` is the logit from the middle of the bounds."""
    place, apart = away * information, (bounds.high - bounds.low) / POINTS
    lower, upper = bounds.lower / apart, bounds.upper / apart
    if verdict is Verdict.BETTER and place > upper / 4:
        return Stop(place, information, place * lower / upper, place, 1)
    if verdict is Verdict.NOT_BETTER and place < lower / 4:
        return Stop(place, information, place, place * upper / lower, -1)
    # Logits and the ratio do not agree quite. If the motion is beyond a barrier that the ratio did not reach,
    # the barrier is moved; if it is not even near the one that was reached, as where A won everything, the
    # time of the stop tells little, and it is as if the pairs had run out.
    return Stop(place, information, min(lower, place), max(upper, place), 0)


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
