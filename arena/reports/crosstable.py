"""The crosstable on a screen: who beat whom, however many bots there are.

The first of these looks that fits is taken: the whole table; numbers as headings, with each bot's number
before its name; cells without sides; cells in per cent. Where not even the last one fits, its columns are
shown in blocks, one below the other. A block has the rows of those who met somebody in it: all of them in a
round robin, few in a Swiss of two hundred. A diagonal of `-` guides the eye.

In a pipe or a file the whole table is shown, as scripts have always read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

import pandas as pd

from arena.plaintext import for_terminal
from arena.reports.screen import GAP, NAME, Table, draw, fits, shorten, wrap_line

if TYPE_CHECKING:
    from tabulate import TableFormat

WHOLE = "12/16 (7+5): the bot of the row won 12 of 16 games, 7 as first and 5 as second"
WITHOUT_SIDES = "12/16: the bot of the row won 12 of 16 games against the bot of that number"
PER_CENT = "75: the bot of the row won 75 % of its games against the bot of that number"
ROWS = "each block has the rows of those who met somebody in it"
MORE = "a wider screen shows more of it, a pipe and crosstable.csv show everything"

Cells = Sequence[Sequence[str]]


def show_crosstable(frame: pd.DataFrame, format: str, width: int | None = None) -> str:
    """Return a crosstable as text, with a line that says how to read it; `width` is that of the screen."""
    from arena.reports.text import render, sentences

    if format not in ("table", "markdown"):
        return render(frame, format)
    if format != "table" or width is None:
        return f"{render(frame, format)}\n\n{WHOLE}"
    if _may_fit(len(frame), width) and fits(text := render(frame, format), width):
        return f"{text}\n\n{wrap_line(WHOLE, width)}"
    names, cells = map(for_terminal, frame["bot"]), frame.iloc[:, 1:].to_numpy().tolist()
    text, legend = _fit([shorten(name, NAME[0]) for name in names], cells, width)
    return f"{text}\n\n{sentences(legend, format, width)}"


def _fit(names: Sequence[str], whole: Cells, width: int) -> tuple[str, list[str]]:
    """Return the first look that fits, and how to read it."""
    without_sides = [[cell.partition(" ")[0] for cell in row] for row in whole]
    looks = ((whole, [WHOLE]), (without_sides, [WITHOUT_SIDES, MORE]))
    for cells, legend in looks if _may_fit(len(names), width) else ():
        text = _number(names, cells, range(len(names)), "simple")
        if fits(text, width):
            return text, legend
    shares = [[_percent(cell) for cell in row] for row in whole]
    blocks = _cut(names, shares, width)
    text = "\n\n".join(_number(names, shares, block, _dense()) for block in blocks)
    has_all_rows = text.count("\n") + 2 == len(blocks) * (len(names) + 3)
    return text, [PER_CENT, *([] if has_all_rows else [ROWS]), MORE]


def _may_fit(bots: int, width: int) -> bool:
    """Whether so many columns could ever fit: to draw a table of 200 only to measure it is slow."""
    return bots * (1 + GAP) <= width


def _number(names: Sequence[str], cells: Cells, block: Sequence[int], look: str | TableFormat) -> str:
    """Return a table of some of the columns, headed by numbers, with the rows that say something there."""
    rows = [
        [str(row + 1), name, *("-" if row == column else cells[row][column] for column in block)]
        for row, name in enumerate(names)
    ]
    headings = ["", "bot", *(str(column + 1) for column in block)]
    said = [row for row in rows if any(row[2:])]
    return draw(Table(headings, said, ["right", "left", *["right"] * len(block)]), look)


def _cut(names: Sequence[str], cells: Cells, width: int) -> list[range]:
    """Return which columns go into which block: as many in each as fit, and alike."""
    count = len(names)
    before = len(str(count)) + 1 + max(map(len, ["bot", *names]))
    widest = max(len(str(count)), *(len(cell) for row in cells for cell in row))
    most = max(1, (width - before) // (widest + 1))
    per_block = ceil(count / ceil(count / most))
    return [range(count)[start : start + per_block] for start in range(0, count, per_block)]


def _dense() -> TableFormat:
    """Return a look with one blank between columns: numbers of three digits need no more."""
    from tabulate import DataRow, Line, TableFormat

    row = DataRow("", " ", "")
    return TableFormat(None, Line("", "-", " ", ""), None, None, row, row, 0, None)


def _percent(cell: str) -> str:
    """Return `12/16 (7+5)` as `75`; an empty cell stays empty."""
    won, _, games = cell.partition(" ")[0].partition("/")
    return f"{100 * int(won) / int(games):.0f}" if games else ""
