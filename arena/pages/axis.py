"""The scale of a chart: where a value stands, in per cent of its length, and which values are named. Pure.

Charts are drawn in per cent, so that they fill a phone and a projector alike while their letters stay as
large as those of the rest of the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, log10
from typing import NamedTuple

STEPS = (1, 2, 5, 10)
MOST_TICKS = 6


class Tick(NamedTuple):
    """A value that is named below a chart."""

    at: float
    text: str


class Axis(NamedTuple):
    """A scale from `low` to `high`, which differ; by powers of ten if `is_log`, and then both are above 0."""

    low: float
    high: float
    is_log: bool = False

    def at(self, value: float) -> float:
        """Return where a value stands, from 0 to 100; what is outside stands at the edge."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.is_log:
            low, high, here = log10(low), log10(high), log10(here)
        return round(100 * (here - low) / (high - low), 2)

    def down(self, value: float) -> float:
        """Return how far below the top a value stands, if the scale goes upwards."""
        return round(100 - self.at(value), 2)


def span(values: list[float]) -> Axis:
    """Return a scale with some room around these values."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.04 * (high - low) or 1.0
    return Axis(low - room, high + room)


def round_ticks(axis: Axis) -> list[Tick]:
    """Return a few round values along a scale."""
    wide = (axis.high - axis.low) / MOST_TICKS
    power = 10.0 ** floor(log10(wide))
    step = next(step * power for step in STEPS if step * power >= wide)
    first, last = ceil(axis.low / step), floor(axis.high / step)
    return [Tick(axis.at(number * step), f"{number * step:g}") for number in range(first, last + 1)]


def whole_ticks(axis: Axis) -> list[Tick]:
    """Return a few whole numbers along a scale of what is counted."""
    return [tick for tick in round_ticks(axis) if "." not in tick.text]


def write_points(points: Iterable[tuple[float, float]]) -> str:
    """Return points as lines and polygons have them."""
    return " ".join(f"{x:g},{y:.4g}" for x, y in points)
