"""Where the cells of a board are drawn: a function for each board family, and one for any other graph.

The unit is the distance between neighbours, y grows downwards, and the picture begins at (0, 0). No two cells
are nearer to each other than 1. The same board is always placed in the same way.

Where neighbours touch each other, nothing else shows that they are neighbours: squares of a king's grid and
hexagons. Elsewhere there are links between them. A torus is a grid that is seen once more across its borders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import cos, isqrt, pi, sin, sqrt
from typing import NamedTuple

from arena.game.board import GRAPH, Board
from arena.game.notation import WIDEST_ROW
from arena.pictures.graph import Point, place_graph

SEAM = 0.45
"""How much of a cell is seen again across the border of a torus."""


class Ghost(NamedTuple):
    """A part of a cell that is seen once more across a seam: its middle and its size."""

    cell: int
    middle: Point
    size: Point


class Layout(NamedTuple):
    """Where the cells of a board are drawn, and how.

    `kind` is how a cell looks: "square" and "hexagon" touch their neighbours, "tile" (a smaller square) and
    "disc" are joined to them by `links`.
    """

    kind: str
    points: tuple[Point, ...]
    size: Point
    links: tuple[tuple[int, int], ...] = ()
    ghosts: tuple[Ghost, ...] = ()


def place(board: Board) -> Layout:
    """Return where the cells of a board are drawn."""
    family = re.sub(r"-[0-9x]+", "", board.name)
    return PLACERS[family](board)


def place_narrow(board: Board, widest_row: int) -> Layout | None:
    """Return the same with so many cells in a row, for a small screen; None if the board has its own rows."""
    is_wide = board.name.startswith("line-") and board.size > widest_row
    return _line(board, widest_row) if is_wide else None


def _line(board: Board, widest_row: int = WIDEST_ROW) -> Layout:
    """Place a line; a long one goes back and forth, so that the next cell is always beside the one before."""
    columns = max(widest_row, isqrt(board.size))
    return _begin_at_zero("disc", [_snake(cell, columns) for cell in range(board.size)], board.edges)


def _snake(cell: int, columns: int) -> Point:
    row, column = divmod(cell, columns)
    return float(columns - 1 - column if row % 2 else column), float(row)


def _ring(board: Board) -> Layout:
    """Place a ring as a circle, clockwise from the top."""
    radius = 0.5 / sin(pi / board.size)
    turns = [2 * pi * cell / board.size for cell in range(board.size)]
    return _begin_at_zero("disc", [(radius * sin(turn), -radius * cos(turn)) for turn in turns], board.edges)


def _grid(board: Board) -> Layout:
    return _begin_at_zero("square", _rows(board))


def _rook_grid(board: Board) -> Layout:
    return _begin_at_zero("tile", _rows(board), board.edges)


def _hexagons(board: Board) -> Layout:
    slanted = [(x + y / 2, y * sqrt(3) / 2) for x, y in _rows(board)]
    return _begin_at_zero("hexagon", slanted)


def _torus(board: Board) -> Layout:
    """Place a torus as a grid, with a strip of what lies across each border."""
    assert board.rows
    assert board.columns
    rows, columns = range(-1, board.rows + 1), range(-1, board.columns + 1)
    outside = [(r, c) for r in rows for c in columns if not (0 <= r < board.rows and 0 <= c < board.columns)]
    ghosts = [_ghost(board.rows, board.columns, r, c) for r, c in outside]
    return _begin_at_zero("square", _rows(board), (), ghosts)


def _ghost(rows: int, columns: int, row: int, column: int) -> Ghost:
    x, width = _across(column, columns)
    y, height = _across(row, rows)
    return Ghost(row % rows * columns + column % columns, (x, y), (width, height))


def _across(at: int, length: int) -> tuple[float, float]:
    """Return the middle and the length of a cell along one side: a strip of it if it is outside."""
    near = (1 - SEAM) / 2
    if at < 0:
        return at + near, SEAM
    return (at - near, SEAM) if at == length else (at, 1.0)


def _rows(board: Board) -> list[Point]:
    assert board.columns
    return [(float(cell % board.columns), float(cell // board.columns)) for cell in range(board.size)]


def _graph(board: Board) -> Layout:
    return _begin_at_zero("disc", place_graph(board), board.edges)


def _begin_at_zero(
    kind: str,
    points: Sequence[Point],
    links: Iterable[tuple[int, int]] = (),
    ghosts: Sequence[Ghost] = (),
) -> Layout:
    """Return a layout whose left upper corner is (0, 0), with half a cell around the outermost middles."""
    half = 0.5 + (SEAM if ghosts else 0)
    tall = 1 / sqrt(3) if kind == "hexagon" else half
    left, top = min(x for x, _ in points) - half, min(y for _, y in points) - tall
    right, bottom = max(x for x, _ in points) + half, max(y for _, y in points) + tall
    return Layout(
        kind,
        tuple((x - left, y - top) for x, y in points),
        (right - left, bottom - top),
        tuple(links),
        tuple(Ghost(cell, (x - left, y - top), size) for cell, (x, y), size in ghosts),
    )


PLACERS = {
    "line": _line,
    "ring": _ring,
    "grid": _grid,
    "grid-rook": _rook_grid,
    "torus": _torus,
    "hex": _hexagons,
    GRAPH: _graph,
}
"""How each board family is placed, by the name of the family."""
