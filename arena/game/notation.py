"""How cells and positions are written: parse what people type, print names, draw the board.

A notation belongs to one board. It knows numbers, glyphs and widths. It knows no rule, and of a position only
what it must draw. Every cell has one printed name. `parse` takes that name as well as the typed form: the
number, or row and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import UnreadableCell, printable
from arena.game.board import Board
from arena.plaintext import for_lines, for_terminal

if TYPE_CHECKING:
    from arena.game.position import Position

WIDEST_ROW = 20
"""Cells in a row of the picture, if the board itself has no rows."""


class Style(NamedTuple):
    """The choices that a rule book makes; the defaults are those of boards without a rule book."""

    typed: str = "number"  # or "row column"
    first: int = 0  # the number of the first cell, row and column
    printed: str = "{number}"
    empty: str | None = None  # None: the cell's number stands there
    blocked: str | None = "-"  # None: drawn like an empty cell
    stones: tuple[str, str] = ("X", "O")
    row: str | None = None  # a template with a {} for each column


class Notation:
    """The notation of one board in one style."""

    def __init__(self, board: Board, style: Style) -> None:
        self.style = style
        self.columns = board.columns or min(board.size, WIDEST_ROW)
        self._board = board
        names = (style.printed.format(**self._numbers(cell)) for cell in range(board.size))
        self._names = tuple(map(for_terminal, names))
        self._cells = {name: cell for cell, name in enumerate(self._names)}

    @property
    def fields(self) -> tuple[str, ...]:
        """The numbers that make up a typed move: `number`, or `row` and `column`."""
        return tuple(self.style.typed.split())

    def name(self, cell: int) -> str:
        """Return the printed name of a cell; IndexError if there is no such cell."""
        if cell < 0:
            raise IndexError(f"there is no cell {cell}")
        return self._names[cell]

    def spell(self, cell: int) -> str:
        """Return a cell as people type it."""
        numbers = self._numbers(cell)
        return " ".join(str(numbers[field]) for field in self.fields)

    def parse(self, text: str) -> int:
        """Return the cell that a text names, typed or printed; UnreadableCell says what is wrong."""
        text = text.strip()
        if text in self._cells:
            return self._cells[text]
        inner = text[1:-1] if text.startswith("(") and text.endswith(")") else text
        numbers = inner.replace(",", " ").split()
        if not numbers:
            raise UnreadableCell("empty", text, "nothing was entered")
        if len(numbers) != len(self.fields):
            for number in numbers:
                _integer(number)  # letters are the better reason
            raise _wrong_count(text, "one number" if len(self.fields) == 1 else "two numbers, row and column")
        return self.cell(
            [self.number(field, typed) for field, typed in zip(self.fields, numbers, strict=True)]
        )

    def parse_moves(self, text: str) -> tuple[int, ...]:
        """Return the cells of a list such as `2 2, 4 2` or `(2,2), (4,2)`; numbers need no commas."""
        parts = [part for part in re.split(r",(?![^()]*\))", text) if part.strip()]
        if len(parts) == len(self.fields) == 1 and parts[0].strip() not in self._cells:
            parts = parts[0].split()
        return tuple(self.parse(part) for part in parts)

    def number(self, field: str, text: str) -> int:
        """Return one number of a move, checked against the board; UnreadableCell if it is wrong."""
        typed = text.strip()
        if not typed:
            raise UnreadableCell("empty", typed, "nothing was entered")
        if len(typed.split()) > 1:
            raise _wrong_count(typed, "one number")
        first, last = self.bounds(field)
        value = _integer(typed)
        if not first <= value <= last:
            raise UnreadableCell(
                "range", typed, f"{field} {printable(typed)} is not within {first} to {last}"
            )
        return value

    def bounds(self, field: str) -> tuple[int, int]:
        """Return the least and the greatest number of a field."""
        count = {"number": self._board.size, "row": self._board.rows, "column": self._board.columns}[field]
        return self.style.first, self.style.first + (count or 0) - 1

    def cell(self, numbers: Sequence[int]) -> int:
        """Return the cell that the numbers of all fields stand for."""
        if len(numbers) == 1:
            return numbers[0] - self.style.first
        row, column = (number - self.style.first for number in numbers)
        return row * self.columns + column

    def ranges(self, cells: Sequence[int]) -> str:
        """Return cells as a list with ranges: any run of numbers, but only whole rows of row and column."""
        whole = range(self._board.size)
        if len(cells) == len(whole):
            return self._range(whole)
        return ", ".join(self._runs(cells) if self.fields == ("number",) else self._row_ranges(cells))

    def _runs(self, cells: Sequence[int]) -> list[str]:
        runs: list[range] = []
        for cell in cells:
            if runs and runs[-1].stop == cell:
                runs[-1] = range(runs[-1].start, cell + 1)
            else:
                runs.append(range(cell, cell + 1))
        names = [[self._range(run)] if len(run) > 2 else [self._names[c] for c in run] for run in runs]
        return [name for run in names for name in run]

    def _row_ranges(self, cells: Sequence[int]) -> list[str]:
        left = set(cells)
        parts = []
        for start in range(0, self._board.size, self.columns):
            row = range(start, min(start + self.columns, self._board.size))
            inside = [cell for cell in row if cell in left]
            parts += [self._range(row)] if len(inside) == len(row) else [self._names[cell] for cell in inside]
        return parts

    def _range(self, cells: range) -> str:
        ends = dict.fromkeys((self._names[cells[0]], self._names[cells[-1]]))
        return "-".join(ends)

    def picture(
        self, position: Position, stones: tuple[str, str] | None = None, closed: str | None = None
    ) -> str:
        """Return the board drawn as the rule book draws it, for the side to move.

        Where the book has no mark for what is closed, `closed` is drawn; None: it looks like an empty cell.
        """
        glyphs = stones or self.style.stones
        marks: dict[int, str] = {cell: glyphs[ply % 2] for ply, cell in enumerate(position.history)}
        blocked = self.style.blocked if self.style.blocked is not None else closed
        if blocked is not None:
            is_open = position.open[position.to_move]
            for cell in range(self._board.size):
                if not is_open >> cell & 1:
                    marks.setdefault(cell, blocked)
        return self.draw(lambda cell: marks.get(cell) or self._empty(cell))

    def names_picture(self) -> str:
        """Return the board with the printed name of every cell in its place."""
        return self._layout(self._names.__getitem__, None)

    def draw(self, mark: Callable[[int], str]) -> str:
        """Return the board with a mark for every cell, in the style's layout."""
        return self._layout(mark, self.style.row)

    def _layout(self, mark: Callable[[int], str], template: str | None) -> str:
        marks = [for_terminal(mark(cell)) for cell in range(self._board.size)]
        rows = [marks[start : start + self.columns] for start in range(0, len(marks), self.columns)]
        if template:
            return "\n".join(for_lines(template).format(*row) for row in rows)
        width = max(map(len, (*self._names, *marks) if self.style.empty is None else marks))
        shift = (width + 2) // 2 if self._board.is_slanted else 0
        return "\n".join(
            " " * (shift * number) + " ".join(text.rjust(width) for text in row).rstrip()
            for number, row in enumerate(rows)
        )

    def _empty(self, cell: int) -> str:
        return str(cell + self.style.first) if self.style.empty is None else self.style.empty

    def _numbers(self, cell: int) -> dict[str, int]:
        row, column = divmod(cell, self.columns)
        first = self.style.first
        return {"number": cell + first, "row": row + first, "column": column + first}


def _integer(typed: str) -> int:
    """Return a whole number in plain digits; `int` would take `+1`, `1_0` and other scripts' digits."""
    digits = typed.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise UnreadableCell("letters", typed, f"'{printable(typed)}' is not a number")
    if digits != typed:
        return -1  # any number below zero is on no board
    # No board needs more digits, and Python refuses to read thousands of them.
    return int(digits.lstrip("0")[:9] or "0")


def _wrong_count(typed: str, wanted: str) -> UnreadableCell:
    return UnreadableCell("count", typed, f"'{printable(typed)}' is not {wanted}")
