"""The path of `arena versus`: the log likelihood ratio after every pair of games, between its two bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from arena.formats.versus import assess, pairs_of, read_question
from arena.pages.axis import Axis, Tick, span, whole_ticks, write_points
from arena.reports.versus import STOPPED, say_better, say_not_better, say_risk, say_score, say_verdict
from arena.results.rounds import read_rounds

if TYPE_CHECKING:
    from arena.results.run import Run
    from arena.standings.sprt import Bounds, State

MOST_POINTS = 400
"""So many points of a path are drawn: the first, the last, and others evenly between them."""


class Bound(NamedTuple):
    """A ratio at which the test ends, and what it says then."""

    at: float
    value: str
    said: str


class Path(NamedTuple):
    """A path to be drawn, in per cent: up to the verdict, and what was played after it."""

    line: str
    later: str
    end: tuple[float, float]
    bounds: list[Bound]
    zero: float
    ticks: list[Tick]
    said: str
    verdict: str
    words: list[str]


class _Test(NamedTuple):
    """A test as it went: the ratio before the first pair and after each, where it stands, what was asked."""

    ratios: list[float]
    state: State
    bounds: Bounds
    games: int


def chart_path(run: Run) -> Path | None:
    """Return how the test went; None of other formats, or before the first round is complete."""
    test = _read(run) if run.field.format == "versus" and len(run.field.bots) == 2 else None
    if test is None:
        return None
    ratios, ended = test.ratios, test.state.at_end.pairs
    across, up = Axis(0, len(ratios) - 1), span([*ratios, test.bounds.lower, test.bounds.upper])
    return Path(
        _write(range(ended + 1), ratios, across, up),
        _write(range(ended, len(ratios)), ratios, across, up) if ended < len(ratios) - 1 else "",
        (across.at(ended), up.down(ratios[ended])),
        list(_name_bounds(run, test.bounds, up)),
        up.down(0.0),
        whole_ticks(across),
        f"log likelihood ratio {ratios[ended]:+.2f} after {ended:,} pairs",
        say_verdict(run, test.state, test.bounds, test.games),
        _say(run, test),
    )


def _read(run: Run) -> _Test | None:
    import numpy as np

    from arena.standings.sprt import Bounds, log_likelihood_ratio

    with run.log() as log:
        rounds = read_rounds(log, run.field, ()).meetings
    one, other = run.field.bots
    question = read_question(run.field.settings)
    pairs, bounds = pairs_of(one, other, rounds), question.bounds or Bounds()
    if not pairs:
        return None
    ratios = np.atleast_1d(log_likelihood_ratio(np.cumsum(np.eye(3)[pairs], axis=0), bounds))
    return _Test([0.0, *ratios.tolist()], assess([one, other], rounds, question), bounds, question.games)


def _name_bounds(run: Run, bounds: Bounds, up: Axis) -> Iterator[Bound]:
    one, other = run.field.bots
    for ratio, say in ((bounds.upper, say_better), (bounds.lower, say_not_better)):
        yield Bound(up.down(ratio), f"{ratio:+.2f}", say(one, other, bounds))


def _say(run: Run, test: _Test) -> list[str]:
    """Return score and risk as sentences, without the one that stands below the headline."""
    lines = [line for line in say_score(test.state) if line != STOPPED]
    lines.append(say_risk(test.state.verdict, test.bounds))
    if not run.field.settings:
        lines.append("the log does not say what was asked; these are the default bounds")
    return [f"{line[0].upper()}{line[1:]}." for line in lines]


def _write(numbers: range, ratios: list[float], across: Axis, up: Axis) -> str:
    """Return the points of a path, thinned out if they are many."""
    step = max(1, len(numbers) // MOST_POINTS)
    chosen = sorted({*numbers[::step], numbers[-1]})
    return write_points((across.at(n), up.down(ratios[n])) for n in chosen)
