"""What a run went through round by round: who met whom in a Swiss, how certain a ladder became."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from arena.formats.meeting import Meeting, name_of
from arena.formats.swiss import points, points_of
from arena.log.cache import remember
from arena.log.reading import RESULT_COLUMNS
from arena.pages.axis import Axis, Tick, write_points
from arena.results.rating import rate_field
from arena.results.rounds import Rounds, read_rounds

if TYPE_CHECKING:
    from arena.results.run import Run

MOST_STEPS = 24
"""After so many of its rounds a ladder is rated again, most of them early: each is a fit over all games."""

MOST_FUNNELS = 12
"""So many bots of a ladder have a chart of their own."""

FUNNEL = 250.0
"""Points above and below a bot's last rating that its own chart shows."""

WIDTHS = (20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)
ROUNDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""What may be named beside the chart of widths, and below it."""

CLOSE = 8.0
"""Per cent of the height between two lines with words on them."""


class Met(NamedTuple):
    """A bot in a round: whom it met, how (won, drawn, lost, bye, away), its score, and its points then."""

    opponent: str
    kind: str
    score: float | None
    points: float


class SwissLine(NamedTuple):
    """A bot of a Swiss, round after round."""

    bot: str
    met: list[Met]
    points: float


class Funnel(NamedTuple):
    """A rating over rounds, as points of a polygon (its interval) and of a line, in per cent."""

    band: str
    line: str


class FunnelLine(NamedTuple):
    """A bot's funnel and its last rating in words."""

    bot: str
    drawn: Funnel
    said: str


class Ladder(NamedTuple):
    """How wide intervals were over rounds: from the narrowest to the widest, and the median."""

    all: Funnel
    target: float | None
    rounds: list[Tick]
    widths: list[Tick]
    said: str
    lines: list[FunnelLine]


Numbers = tuple[float, float, float]
Step = tuple[int, Mapping[str, Numbers]]
"""A number of rounds, and rating, low and high of each bot after them."""


def chart_swiss(run: Run) -> list[SwissLine]:
    """Return the rounds of a Swiss, the bot with most points first; nothing of other formats."""
    if run.field.format != "swiss":
        return []
    with run.log() as log:
        rounds = read_rounds(log, run.field, ())
    bots = run.standings()["bot"].tolist()
    after = [points(bots, rounds.meetings[:number], rounds.drawn) for number in _numbers(rounds)]
    lines = [SwissLine(bot, list(_follow(bot, rounds, after)), after[-1][bot]) for bot in bots]
    return sorted(lines, key=lambda line: -line.points) if rounds.meetings else []


def _numbers(rounds: Rounds) -> range:
    return range(len(rounds.meetings) + 1)


def _follow(bot: str, rounds: Rounds, after: Sequence[Mapping[str, float]]) -> Iterator[Met]:
    for number, meetings in enumerate(rounds.meetings, 1):
        own, gained = after[number][bot], after[number][bot] - after[number - 1][bot]
        found = next((_see(met, bot) for met in meetings if bot in (met.one, met.other)), None)
        if found is None:
            yield Met("", "bye" if gained == 1 else "away", None, own)
        else:
            kind = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[points_of(found[1])]
            yield Met(found[0], kind, found[1], own)


def _see(met: Meeting, bot: str) -> tuple[str, float]:
    """Return the opponent and the score of a bot in a meeting."""
    return (name_of(met.other), met.score) if met.one == bot else (name_of(met.one), 1 - met.score)


def chart_ladder(run: Run) -> Ladder | None:
    """Return how certain a ladder became; None of other formats, or if it has less than two rounds."""
    if run.field.format != "ladder":
        return None
    found = remember(run.folder, f"ladder of {' '.join(run.variants)}", lambda: _climb(run))
    steps: list[Step] = [(number, {bot: tuple(three) for bot, three in by.items()}) for number, by in found]
    if len(steps) < 2:
        return None
    target = (run.field.settings or {}).get("interval_points")
    shown = [bot for bot in run.standings()["bot"] if bot in steps[-1][1]][:MOST_FUNNELS]
    across = Axis(steps[0][0], steps[-1][0], is_log=True)  # most happens early
    up = _scale_widths(steps, target)
    return Ladder(
        _draw_widths(steps, across, up),
        up.down(target) if target else None,
        [Tick(across.at(number), f"{number:,}") for number in ROUNDS if across.low <= number <= across.high],
        list(_name_widths(up, target)),
        _say_widths(steps, target),
        [FunnelLine(bot, _draw_funnel(bot, steps, across), _say_rating(steps[-1][1][bot])) for bot in shown],
    )


def _climb(run: Run) -> list[Step]:
    """Return the ratings after some of the rounds, the first and the last among them."""
    import pandas as pd

    with run.log() as log:
        rounds = read_rounds(log, run.field, {*run.degenerate, *run.hidden})
    last = len(rounds.results)
    chosen = sorted({round(last ** (step / (MOST_STEPS - 1))) for step in range(MOST_STEPS)})
    found: list[Step] = []
    for number in chosen if last else ():
        rows = pd.DataFrame(list(chain(*rounds.results[:number])), columns=RESULT_COLUMNS)
        found.append((number, rate_field(rows, run.field.bots)))
    return found


def _widths(step: Step) -> list[float]:
    return sorted(high - low for _, low, high in step[1].values())


def _scale_widths(steps: Sequence[Step], target: float | None) -> Axis:
    every = [width for step in steps for width in _widths(step) if width > 0] or [1.0]
    return Axis(min(*every, target or every[0]) / 1.1, max(*every, target or every[0]) * 1.1, is_log=True)


def _name_widths(up: Axis, target: float | None) -> Iterator[Tick]:
    """Yield the widths that are named; none so near to the one asked for that both could not be read."""
    for width in WIDTHS:
        is_free = target is None or abs(up.at(width) - up.at(target)) > CLOSE
        if up.low <= width <= up.high and is_free:
            yield Tick(up.down(width), f"{width:g}")


def _draw_widths(steps: Sequence[Step], across: Axis, up: Axis) -> Funnel:
    some = [(across.at(step[0]), _widths(step)) for step in steps if step[1]]
    return _draw([(x, widths[0], median(widths), widths[-1]) for x, widths in some], up)


def _draw_funnel(bot: str, steps: Sequence[Step], across: Axis) -> Funnel:
    last = steps[-1][1][bot][0]
    up = Axis(last - FUNNEL, last + FUNNEL)
    known = [(across.at(number), by[bot]) for number, by in steps if bot in by]
    return _draw([(x, low, rating, high) for x, (rating, low, high) in known], up)


def _draw(steps: Sequence[tuple[float, float, float, float]], up: Axis) -> Funnel:
    """Return a funnel from where each step stands, and the low, middle and high value of it."""
    low = [(x, up.down(value)) for x, value, _, _ in steps]
    high = [(x, up.down(value)) for x, _, _, value in steps]
    middle = [(x, up.down(value)) for x, _, value, _ in steps]
    return Funnel(write_points([*high, *reversed(low)]), write_points(middle))


def _say_rating(three: Numbers) -> str:
    return f"{three[0]:.0f} \N{PLUS-MINUS SIGN} {(three[2] - three[1]) / 2:.0f}"


def _say_widths(steps: Sequence[Step], target: float | None) -> str:
    """Return how narrow intervals are after the last round, a sentence."""
    number, by = steps[-1]
    widest = max(by, key=lambda bot: by[bot][2] - by[bot][1])
    widths = _widths(steps[-1])
    asked = f"; {target:g} points were asked for" if target else ""
    return (
        f"After {number:,} rounds the widest interval is that of {widest}, {widths[-1]:.0f} points from end "
        f"to end, and half of all are no wider than {median(widths):.0f}{asked}."
    )
