"""Every chart of the page as an SVG file of its own, for papers and slides.

A figure has a fixed width, light colours and generic letters, and its style inside, so that it looks the same
in a browser, a word processor and LaTeX. What is drawn in it is drawn by the same macros as in the page. One
more chart costs a template in `templates/figures/` and a line in FIGURES; a chart with nothing in it has no
file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.files import make_folder, write_anew
from arena.pages.bracket import Drawn
from arena.pages.charts import Chart, Heat
from arena.pages.rendering import LONGEST_NAME, render
from arena.pages.report import chart_all

if TYPE_CHECKING:
    from arena.results.run import Run

WIDTH, NARROWEST = 720, 360
EDGE, GAP = 16, 2
LETTER = 7.4
"""About how wide a letter of 13 pixels is."""

BELOW = 48
"""Room for the scale and its label."""

LEVELS = (0, 7, 14, 21, 27, 34, 41, 48, 86, 93, 100)
"""How much of the accent colour a cell of the heat map has, by its score in tenths, in per cent.

They are those of `style.css`: no text is legible between the lower and the upper ones.
"""

PALE, ACCENT = (0xF3, 0xF4, 0xF2), (0x0B, 0x62, 0xB8)


class Figure(NamedTuple):
    """A chart with its words and its measures in pixels; `left` is where the drawing begins."""

    name: str
    title: str
    said: str
    label: str
    width: int
    height: int
    left: int
    plot: int
    high: int  # a row, or a cell of the heat map
    top: int = EDGE
    edge: int = EDGE
    gap: int = GAP


class Words(NamedTuple):
    """What is said of a chart: its title, a description, what its scale shows; and how it is measured."""

    title: str
    said: str
    label: str
    measure: Callable[[str, Words, Any], Figure | None]
    high: int = 26  # of a row
    top: int = EDGE


def _measure_rows(name: str, words: Words, chart: Chart) -> Figure | None:
    """Return the figure of a chart with a row for each name; None if it has none."""
    if not chart.lines:
        return None
    left = _room([line.bot for line in chart.lines])
    right = EDGE + round(LETTER * max(len(line.said) for line in chart.lines)) + 12
    height = words.top + len(chart.lines) * (words.high + GAP) + BELOW
    return Figure(name, *words[:3], WIDTH, height, left, WIDTH - left - right, words.high, words.top)


def _measure_heat(name: str, words: Words, heat: Heat) -> Figure | None:
    """Return the figure of the heat map; None if it has no cells."""
    if not heat.bots:
        return None
    size = 34 if heat.has_numbers else 11
    left, side = _room(heat.bots, more=4), size * len(heat.bots)
    width = max(NARROWEST, left + side + EDGE)
    return Figure(name, *words[:3], width, words.top + side + BELOW - 16, left, side, size, words.top)


def _measure_plot(name: str, words: Words, chart: object) -> Figure | None:
    """Return the figure of a drawing that fills all of the width; None if there is none."""
    if chart is None:
        return None
    return Figure(
        name, *words[:3], WIDTH, words.top + words.high + BELOW, EDGE, WIDTH - 2 * EDGE, words.high, words.top
    )


def _measure_bracket(name: str, words: Words, bracket: Drawn | None) -> Figure | None:
    if bracket is None:
        return None
    width, height = bracket.width + 2 * EDGE, bracket.height + 2 * EDGE
    return Figure(name, *words[:3], width, height, EDGE, bracket.width, words.high, words.top)


def _room(names: list[str], more: int = 0) -> int:
    """Return where the drawing begins to the right of these names."""
    return EDGE + round(LETTER * (min(LONGEST_NAME, max(map(len, names))) + more)) + 12


FIGURES: Mapping[str, Words] = {
    "ratings": Words(
        "Ratings",
        "A dot is the estimated strength, the line its 95 % interval; 400 points are odds of 10 to 1.",
        "rating on the Elo scale, with its 95 % interval",
        _measure_rows,
    ),
    "ledger": Words(
        "Where the wins came from",
        "Of each bot's games, the shares that were won from the start and kept, lost from the start and won "
        "all the same, and won from the start and lost.",
        "share of the games; at the right how many of them were won",
        _measure_rows,
        top=EDGE + 26,
    ),
    "meetings": Words(
        "Who beat whom",
        "A cell is the share of its games that the bot of the row won against the bot of the column.",
        "games won against the bot of the column, in per cent",
        _measure_heat,
        top=EDGE + 20,
    ),
    "bracket": Words(
        "Bracket",
        "The number before a name is its seed, the number after it the share of the games that it won in "
        "that duel; who won goes on.",
        "",
        _measure_bracket,
    ),
    "ladder": Words(
        "How certain it became",
        "How wide the 95 % intervals of the ratings were: from the narrowest to the widest of all bots, and "
        "the median.",
        "rounds; upwards the width of the intervals in points",
        _measure_plot,
        high=200,
    ),
    "path": Words(
        "The test",
        "The log likelihood ratio after every pair of games, between the bounds at which the test ends.",
        "pairs of games; upwards the log likelihood ratio",
        _measure_plot,
        high=260,
    ),
    "lengths": Words(
        "How long games last",
        "The higher a column, the more games of that variant ended after so many plies.",
        "plies, the opening included",
        _measure_rows,
        high=44,
    ),
    "cpu": Words(
        "CPU against the limit",
        "The dot is a move on average as a share of what it may take; the upright mark the fullest game as "
        "a share of what that may take.",
        "share of the limit, by powers of ten",
        _measure_rows,
    ),
}
"""The charts of the page that have files, by their names among its values, which their files have too."""


def write_figures(run: Run, folder: Path) -> list[Path]:
    """Write the charts of a run into a folder, which is made if it is not there; return the files."""
    make_folder(folder)
    files = []
    for name, text in draw_figures(chart_all(run), run.field.name):
        files.append(folder / f"{name}.svg")
        with write_anew(files[-1]) as file:
            file.write(text)
    return files


def draw_figures(charts: Mapping[str, Any], run: str) -> Iterator[tuple[str, str]]:
    """Yield names and texts of the charts that have something to show."""
    heat = [_mix(level) for level in LEVELS]
    for name, words in FIGURES.items():
        figure = words.measure(name, words._replace(title=f"{words.title}: {run}"), charts[name])
        if figure is not None:
            values = {"figure": figure, "chart": charts[name], "heat": heat}
            yield name, render("figures/figure.svg.j2", values)


def _mix(percent: int) -> str:
    """Return the colour between the pale one and the accent."""
    mixed = (round(pale + (full - pale) * percent / 100) for pale, full in zip(PALE, ACCENT, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
