"""The estimate and interval of a test that stopped early: a Brownian motion between two barriers. Pure.

A test that may stop stops where the difference looks large. The usual estimate is then too far out, and its
interval holds the truth too rarely. Here all ways in which a test can end are put in an order, and what was
seen is compared with that order (stagewise ordering, Fairbanks and Madsen 1982; fishtest does the same). A
stop at the lower barrier is less than no stop, and that is less than a stop at the upper one. Of two stops
at the lower barrier the earlier is less, of two at the upper one the later. The estimate is the drift at
which what was seen is the median, so it is too high as often as too low. The interval has the drifts at which
what was seen is neither among the lowest 2.5 % nor among the highest. Nothing here knows of pairs or points.

The motion starts at 0 and has variance 1 for each unit of time. The chance of reaching a barrier first, by
some time, is a sum over mirror images of that barrier, which soon become too far away to matter. Refused: the
sine series, which needs fewer terms after a long time, and after a short one subtracts huge numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, erfc, exp, log, pi, sqrt
from typing import NamedTuple

FAR = 9.0
"""Standard deviations beyond which nothing counts; the chance is 1e-19."""

LONG = 25.0
"""Squared widths between the barriers after which one was reached; the chance of neither is 1e-53."""


class Stop(NamedTuple):
    """Where and when a motion was last seen, between which barriers, and which it reached (-1, 0 or 1)."""

    place: float
    time: float
    lower: float
    upper: float
    reached: int


class Drifts(NamedTuple):
    """The drift of which a stop is the median, and the 95 % interval."""

    median: float
    low: float
    high: float


def estimate_drift(stop: Stop) -> Drifts:
    """Return the median-unbiased drift and its interval."""
    return Drifts(*(_solve(stop, share) for share in (0.5, 0.975, 0.025)))


def chance_of_less(stop: Stop, drift: float) -> float:
    """Return how likely a motion with that drift ends no higher than it did; falls with the drift."""
    _, time, lower, upper, reached = stop
    if reached > 0:
        return 1 - chance_to_reach(upper, lower, time, drift)
    below = chance_to_reach(lower, upper, time, drift)
    return below if reached else min(1.0, below + _chance_between(stop, drift))


def chance_to_reach(barrier: float, other: float, time: float, drift: float) -> float:
    """Return how likely a motion reaches a barrier by some time, and not the other one before."""
    if barrier > 0:
        return chance_to_reach(-barrier, -other, time, -drift)
    width = other - barrier
    time = min(time, LONG * width**2)
    chance = 0.0
    for number in _images(width, time):
        away = 2 * number * width - barrier
        passed = _chance_to_pass(abs(away), time, abs(drift), drift * barrier)
        chance += passed if away > 0 else -passed
    return min(1.0, max(0.0, chance))


def _chance_to_pass(away: float, time: float, speed: float, weight: float) -> float:
    """Return exp(weight) times the mean of exp(-speed**2 / 2 * t) over the times t of a motion to get so far.

    Only times up to `time` count, and the motion itself has no drift.
    """
    spread = sqrt(time)
    return _tail((away - speed * time) / spread, weight - speed * away) + _tail(
        (away + speed * time) / spread, weight + speed * away
    )


def _chance_between(stop: Stop, drift: float) -> float:
    """Return how likely a motion has reached no barrier and is no higher than it was seen."""
    place, time, lower, upper, _ = stop
    width, spread = upper - lower, sqrt(time)
    if time > LONG * width**2:
        return 0.0
    chance = 0.0
    for number in _images(width, time):
        for middle, sign in ((2 * number * width, 1), (2 * number * width + 2 * lower, -1)):
            low, high = ((end - middle - drift * time) / spread for end in (lower, place))
            chance += sign * _normal_between(low, high, drift * middle)
    return max(0.0, chance)


def _images(width: float, time: float) -> range:
    """Return the numbers of the mirror images that are near enough to matter."""
    most = 1 + ceil(FAR * sqrt(time) / (2 * width))
    return range(-most, most + 1)


def _normal_between(low: float, high: float, weight: float) -> float:
    """Return exp(weight) times the chance of a normal variable between two values, in either tail."""
    if low < 0:
        low, high = -high, -low
    return _tail(low, weight) - _tail(high, weight)


def _tail(value: float, weight: float) -> float:
    """Return exp(weight) times the chance of a normal variable above a value, though either may overflow."""
    if value < FAR:
        return exp(weight) * erfc(value / sqrt(2)) / 2
    square = value * value
    series = 1 - 1 / square + 3 / square**2 - 15 / square**3
    return exp(weight - square / 2 - log(value * sqrt(2 * pi))) * series


def _solve(stop: Stop, share: float) -> float:
    """Return the drift at which a stop is no less than that share of all."""
    step = 2 / sqrt(stop.time)
    low = high = stop.place / stop.time
    while chance_of_less(stop, low) < share:
        low -= step
        step *= 2
    step = 2 / sqrt(stop.time)
    while chance_of_less(stop, high) > share:
        high += step
        step *= 2
    return _bisect(lambda drift: chance_of_less(stop, drift) > share, low, high)


def _bisect(is_below: Callable[[float], bool], low: float, high: float) -> float:
    """Return where a condition that holds at `low` and not at `high` ends."""
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2
