"""The board families, by the names that people type: `line-13`, `ring-9`, `grid-4x4`, `hex-5x5` ...

A family is a function from the sizes in its name to a `Board`, and a row in `FAMILIES`. It says which cells
touch, and which symmetries generate all of its symmetries. Turns and reflections come first: a torus with too
many shifts to list then still has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from arena.errors import UnknownVariant, did_you_mean, printable
from arena.game.board import MOST_CELLS, Board
from arena.game.symmetry import Permutation

Offsets = tuple[tuple[int, int], ...]

# Half of the neighbours of a cell: the other half are the same edges seen from the other end.
ROOK: Offsets = ((0, 1), (1, 0))
KING: Offsets = (*ROOK, (1, 1), (1, -1))
HEX: Offsets = (*ROOK, (1, -1))


class Family(NamedTuple):
    """A board family: its pattern, an example, the least side length, and how to build one."""

    pattern: str
    example: str
    least: int
    about: str
    build: Callable[..., Board]

    @property
    def sides(self) -> int:
        """How many numbers the name holds."""
        return 2 if "RxC" in self.pattern else 1


def line(size: int) -> Board:
    """Return a line of cells, each next to the one before."""
    edges = ((cell, cell + 1) for cell in range(size - 1))
    return Board(f"line-{size}", size, edges, generators=[tuple(reversed(range(size)))])


def ring(size: int) -> Board:
    """Return a line whose ends meet."""
    edges = ((cell, (cell + 1) % size) for cell in range(size))
    mirror = tuple(-cell % size for cell in range(size))
    shift = tuple((cell + 1) % size for cell in range(size))
    return Board(f"ring-{size}", size, edges, generators=[mirror, shift])


def grid(rows: int, columns: int) -> Board:
    """Return a grid with king neighbours: sideways, up and down, and diagonally."""
    return _grid(f"grid-{rows}x{columns}", rows, columns, KING, _turns(rows, columns))


def rook_grid(rows: int, columns: int) -> Board:
    """Return a grid with rook neighbours: sideways, up and down."""
    return _grid(f"grid-{rows}x{columns}-rook", rows, columns, ROOK, _turns(rows, columns))


def hexagons(rows: int, columns: int) -> Board:
    """Return a rhombus of hexagons: rook neighbours, and those up right and down left."""
    half_turn = tuple(reversed(range(rows * columns)))
    generators = [half_turn, *([_transpose(rows, columns)] if rows == columns else [])]
    return _grid(f"hex-{rows}x{columns}", rows, columns, HEX, generators, is_slanted=True)


def torus(rows: int, columns: int) -> Board:
    """Return a grid with king neighbours whose opposite edges meet."""
    edges = (
        (r * columns + c, (r + down) % rows * columns + (c + right) % columns)
        for r in range(rows)
        for c in range(columns)
        for down, right in KING
    )
    shift_right = _move(rows, columns, lambda r, c: (r, (c + 1) % columns))
    shift_down = _move(rows, columns, lambda r, c: ((r + 1) % rows, c))
    generators = [*_turns(rows, columns), shift_right, shift_down]
    return Board(
        f"torus-{rows}x{columns}", rows * columns, edges, shape=(rows, columns), generators=generators
    )


FAMILIES = {
    "line": Family("line-N", "line-13", 1, "cells in a row", line),
    "ring": Family("ring-N", "ring-9", 3, "cells in a circle", ring),
    "grid": Family("grid-RxC", "grid-6x6", 1, "a grid with king neighbours (8)", grid),
    "grid-rook": Family("grid-RxC-rook", "grid-6x6-rook", 1, "a grid with rook neighbours (4)", rook_grid),
    "torus": Family("torus-RxC", "torus-5x5", 3, "a king grid whose edges meet", torus),
    "hex": Family("hex-RxC", "hex-5x5", 1, "a rhombus of hexagons (6)", hexagons),
}

_NAME = re.compile(r"([a-z]+)-([1-9][0-9]*)(?:x([1-9][0-9]*))?(-[a-z]+)?", re.ASCII)


def board(name: str) -> Board:
    """Return the board of that name; UnknownVariant, with the reason, if there is none."""
    match = _NAME.fullmatch(name)
    family = FAMILIES.get(match[1] + (match[4] or "")) if match else None
    sides = [int(side[:7]) for side in match.groups()[1:3] if side] if match else []
    if match is None or family is None or len(sides) != family.sides:
        raise UnknownVariant(
            f"unknown board '{printable(name)}'{_nearest(name) or f'; boards are {_patterns()}'}"
        )
    cells = sides[0] * sides[-1] if len(sides) == 2 else sides[0]
    shown = printable(name)
    if min(sides) < family.least:
        raise UnknownVariant(f"board '{shown}': a {match[1]} has sides of at least {family.least}")
    if cells > MOST_CELLS:
        raise UnknownVariant(f"board '{shown}': {cells} cells are too many; the limit is {MOST_CELLS}")
    return family.build(*sides)


def _patterns() -> str:
    return ", ".join(family.pattern for family in FAMILIES.values())


def _nearest(name: str) -> str:
    """Return the nearest name with the sizes that were typed, if there is a near one."""
    patterns = {re.sub(r"[0-9]+", "N", family.example): family for family in FAMILIES.values()}
    near = did_you_mean(re.sub(r"[0-9]+", "N", name), patterns)
    sizes = iter(re.findall(r"[0-9]+", name))
    return re.sub(r"N", lambda _: next(sizes, "N"), near)


def _grid(
    name: str,
    rows: int,
    columns: int,
    offsets: Offsets,
    generators: list[Permutation],
    is_slanted: bool = False,
) -> Board:
    edges = _grid_edges(rows, columns, offsets)
    shape = (rows, columns)
    return Board(name, rows * columns, edges, shape=shape, is_slanted=is_slanted, generators=generators)


def _grid_edges(rows: int, columns: int, offsets: Offsets) -> Iterator[tuple[int, int]]:
    for r in range(rows):
        for c in range(columns):
            for down, right in offsets:
                if r + down < rows and 0 <= c + right < columns:
                    yield r * columns + c, (r + down) * columns + c + right


def _turns(rows: int, columns: int) -> list[Permutation]:
    """Return reflections that generate the turns and reflections of a rectangle or square."""
    left_right = _move(rows, columns, lambda r, c: (r, columns - 1 - c))
    up_down = _move(rows, columns, lambda r, c: (rows - 1 - r, c))
    return [left_right, up_down, *([_transpose(rows, columns)] if rows == columns else [])]


def _transpose(rows: int, columns: int) -> Permutation:
    return _move(rows, columns, lambda r, c: (c, r))


def _move(rows: int, columns: int, to: Callable[[int, int], tuple[int, int]]) -> Permutation:
    targets = (to(r, c) for r in range(rows) for c in range(columns))
    return tuple(r * columns + c for r, c in targets)
