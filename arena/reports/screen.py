"""One way to fit the screen, for every command: a table, or a line of text, within a width.

A table that is too wide first gets narrower where little is lost by it: its texts are wrapped at words within
their column, or stand below their row, and long names lose their middle, as in `very_long_na...name_v2`:
names that look alike mostly differ at the end. If that is not enough, the least important columns are left
out, and a line says which: first those that say the same in every row, for the line can say that too. What
room is left then goes back to names and texts.

A width of None means a pipe or a file: nothing is wrapped, shortened or left out.

This module knows neither pandas nor terminals: `arena.terminal.output` says how wide the screen is. Refused:
the tables of rich, which cut what does not fit, with a sign that is not ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tabulate import TableFormat

GAP = 2
"""Blanks between two columns."""

DOTS = "..."
NO_BREAK = "\N{NO-BREAK SPACE}"

NAME = (24, 24, 9)
"""How wide a column of long names is at least: before a text goes below its row, before other columns are
left out, and after that."""

ONE_OF_SEVERAL_NAMES = (24, 14, 9)
"""The same where a row has several: two long ones must not take the place of all else."""

TEXT = (30, 30, 12)
"""The same for texts that are wrapped."""

BELOW = 40
"""How wide the last text is at least; with less it stands below its row."""

INDENT = 4
"""Blanks before a text that stands below its row."""

NARROWEST = 20
"""No screen is taken to be narrower than this."""


class Table(NamedTuple):
    """Cells of one line each, and what may be done to columns, by their headings, on a narrow screen."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    alignments: Sequence[str] = ()
    """`left` or `right` for each column; all left if there are none."""
    names: Collection[str] = ()
    """Columns that may be shortened in the middle."""
    texts: Collection[str] = ()
    """Columns that may be wrapped at words."""
    below: str | None = None
    """The column that may stand below its row, without a heading; a table that has one has no other texts."""
    spare: Sequence[str] = ()
    """Columns that may be left out, the least important first; if there are any, constant ones may go too."""
    whole: str = "a pipe gets everything"
    """Where to find what was left out."""


def lay_out(table: Table, width: int | None = None) -> str:
    """Return a table as text, with no line longer than `width` if that can be done."""
    if width is None:
        return draw(table)
    sides, below = _put_below(table, width)
    narrow = _leave_out(sides, width)
    gone = [_name_column(sides, heading) for heading in sides.headings if heading not in narrow.headings]
    said = wrap_line(f"not on this screen: {', '.join(gone)}; {table.whole}", width)
    return _weave(draw(_squeeze(narrow, width)), below, width) + (f"\n\n{said}" if gone else "")


def _put_below(table: Table, width: int) -> tuple[Table, list[str]]:
    """Return a table without the column that stands below its rows, and its cells; none if there is room."""
    if table.below is None or table.below not in table.headings or _total(_least(table, 0)) <= width:
        return table, []
    number = table.headings.index(table.below)
    return _without(table, table.below), [row[number] for row in table.rows]


def _weave(text: str, below: Sequence[str], width: int) -> str:
    """Return a table with a text below each row that has one."""
    if not below:
        return text
    head, rows = text.split("\n")[:2], text.split("\n")[2:]
    woven = [
        [row, *([wrap_line(" " * INDENT + cell, width)] if cell else [])]
        for row, cell in zip(rows, below, strict=True)
    ]
    return "\n".join([*head, *(line for lines in woven for line in lines)])


def draw(table: Table, look: str | TableFormat = "simple") -> str:
    """Return a table as it is, a line for each row, or as many as its longest cell has.

    `look` is one of tabulate's; a cell is written as it stands.
    """
    import tabulate

    tabulate.MIN_PADDING = 0  # two blanks before every heading would be a column less on a narrow screen
    alignments = (table.alignments or ["left"] * len(table.headings)) if table.rows else None
    # Numbers are already text, and names that look like numbers must stay as they are.
    return tabulate.tabulate(table.rows, table.headings, look, colalign=alignments, disable_numparse=True)


def shorten(name: str, width: int) -> str:
    """Return a name without its middle if it is longer than `width`: its beginning, three dots, its end."""
    if len(name) <= width:
        return name
    kept = max(width - len(DOTS), 2)
    return name[: kept - kept // 2] + DOTS + name[len(name) - kept // 2 :]


def fits(text: str, width: int) -> bool:
    """Whether no line of a text is longer than the width."""
    return max(map(len, text.split("\n"))) <= width


def wrap_line(line: str, width: int | None) -> str:
    """Return a line broken at words; what follows is indented as its last column or its item of a list.

    A word that is longer than the screen stays whole: it is a path or a hash, which somebody may copy.
    """
    if width is None or len(line) <= width:
        return line
    width = max(width, NARROWEST)
    return "\n".join(_break(line, width, " " * _indentation(line, width)))


def wrap_lines(text: str, width: int | None) -> str:
    """Return a text with each of its lines broken at words."""
    return "\n".join(wrap_line(line, width) for line in text.split("\n"))


def _break(text: str, width: int, indent: str = "") -> list[str]:
    """Return a text in lines; a sign of per cent stays with its number."""
    lines = wrap(
        text.replace(" %", f"{NO_BREAK}%"),
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return [line.replace(f"{NO_BREAK}%", " %") for line in lines]


def _indentation(line: str, width: int) -> int:
    """Return where the rest of a line goes on: under its last column, if that leaves a third of the width."""
    beginning = re.match(r" *(?:- |\d+\. )?", line)
    ends = [gap.end() for gap in re.finditer(r"(?<=\S) {2,}", line) if 3 * gap.end() <= 2 * width]
    return max([beginning.end() if beginning else 0, *ends])


def _leave_out(table: Table, width: int) -> Table:
    """Return a table without its least important columns, so that the others fit."""
    constant = [heading for heading in table.headings[1:] if _find_constant(table, heading) is not None]
    for heading in dict.fromkeys([*(constant if table.spare else ()), *table.spare]):
        if _total(_least(table, 1)) <= width:
            break
        table = _without(table, heading)
    return table


def _find_constant(table: Table, heading: str) -> str | None:
    """Return what a column says in every row; None if it does not, or if there is one row."""
    number = table.headings.index(heading)
    cells = {row[number] for row in table.rows}
    return cells.pop() if len(cells) == 1 and len(table.rows) > 1 else None


def _name_column(table: Table, heading: str) -> str:
    """Return the name of a column that was left out, with what it says if that is the same in every row."""
    constant = _find_constant(table, heading)
    return f"{heading} (always {shorten(constant, NAME[0])})" if constant else heading


def _without(table: Table, heading: str) -> Table:
    kept = [number for number, other in enumerate(table.headings) if other != heading]
    return table._replace(
        headings=[table.headings[number] for number in kept],
        rows=[[row[number] for number in kept] for row in table.rows],
        alignments=[table.alignments[number] for number in kept if table.alignments],
    )


def _squeeze(table: Table, width: int) -> Table:
    """Return a table with its names shortened and its texts wrapped, as far as the width demands it."""
    widths = _widths(table)
    if _total(widths) <= width:
        return table
    floors = [_least(table, step) for step in range(3)]
    fitting = [floor for floor in floors if _total(floor) <= width]
    shares = _share([*fitting, floors[-1]][0], widths, width)
    fits = [_fitting(table, *column) for column in zip(table.headings, shares, strict=True)]
    return table._replace(
        headings=[fit(heading) for fit, heading in zip(fits, table.headings, strict=True)],
        rows=[[fit(cell) for fit, cell in zip(fits, row, strict=True)] for row in table.rows],
    )


def _widths(table: Table) -> list[int]:
    return [max(map(len, cells)) for cells in zip(table.headings, *table.rows, strict=True)]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _least(table: Table, step: int) -> list[int]:
    """Return how narrow each column may get: in the first step with comfort, in the third at the worst."""
    pairs = zip(table.headings, _widths(table), strict=True)
    return [min(width, _floor(table, heading, width, step)) for heading, width in pairs]


def _floor(table: Table, heading: str, width: int, step: int) -> int:
    if heading == table.below:
        return BELOW
    if heading in table.texts:
        return max(TEXT[step], *map(len, heading.split()))
    if heading in table.names:
        is_only_one = sum(other in table.names for other in table.headings) == 1
        return max((NAME if is_only_one else ONE_OF_SEVERAL_NAMES)[step], len(heading))
    return width


def _share(least: Sequence[int], wanted: Sequence[int], width: int) -> list[int]:
    """Return widths that use the whole screen: the narrowest column that wants more gets it first."""
    widths = list(least)
    for _ in range(width - _total(widths)):
        wanting = [number for number, now in enumerate(widths) if now < wanted[number]]
        if not wanting:
            break
        widths[min(wanting, key=widths.__getitem__)] += 1
    return widths


def _fitting(table: Table, heading: str, width: int) -> Callable[[str], str]:
    """Return what makes a cell of a column fit its width."""
    if heading in table.texts or heading == table.below:
        return lambda cell: "\n".join(shorten(line, width) for line in _break(cell, width))
    if heading in table.names:
        return lambda cell: shorten(cell, width)
    return str


def say_duration(seconds: float) -> str:
    """Return a time in words, as exact as somebody who waits wants it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
