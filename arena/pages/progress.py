"""The rating of a bot over its versions as a chart: plain values, which a template draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.pages.axis import Tick, round_ticks, span
from arena.reports.bot import explain_versions, say_since
from arena.results.versions import Version

MOST_DRAWN = 24
"""So many versions are shown, the newest."""


class Point(NamedTuple):
    """A version in the chart, in per cent of its width and from its top; `said` is for who cannot see it."""

    at: float
    rating: float
    low: float
    high: float
    name: str
    said: str


class Told(NamedTuple):
    """A version in the table, with its number from the first one on."""

    number: int
    since: str
    version: Version


class Progress(NamedTuple):
    """The chart, its scale from below to above, the table with the newest first, and how to read them."""

    points: list[Point]
    ticks: list[Tick]
    rows: list[Told]
    older: int
    words: list[str]


def chart_progress(versions: Sequence[Version]) -> Progress | None:
    """Return the versions of a bot as a chart and a table; None if there is only one."""
    if not versions:
        return None
    told = [Told(number, say_since(each), each) for number, each in enumerate(versions, 1)]
    shown = told[-MOST_DRAWN:]
    rated = [(each.number, _measure(each.version)) for each in shown if each.version.rating is not None]
    axis = span([value for _, values in rated for value in values])
    first, steps = shown[0].number, max(1, len(shown) - 1)
    points = [
        Point(
            round(14 + 82 * (number - first) / steps, 2),
            axis.down(rating),
            axis.down(low),
            axis.down(high),
            str(number),
            f"version {number}: {rating:.0f} ({low:.0f} to {high:.0f})",
        )
        for number, (rating, low, high) in rated
    ]
    ticks = [Tick(round(100 - tick.at, 2), tick.text) for tick in round_ticks(axis)] if rated else []
    return Progress(points, ticks, shown[::-1], len(told) - len(shown), explain_versions(versions))


def _measure(version: Version) -> tuple[float, float, float]:
    numbers: list[Any] = [version.rating, version.low, version.high]
    return numbers[0], numbers[1], numbers[2]
