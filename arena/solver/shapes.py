"""Shapes: a canonical form for a part of a board, wherever it is and however it is turned.

A part is two bit sets: what either side may still claim of it. Its form is one int, from which a part can be
read back. All images of a part have the same form: images by the board's symmetries and, on lines and grids,
also by shifts, which keep what touches what although they are not symmetries of the board.

Images are always taken over a whole group, so that a turned board has the same forms, and the same costs.

Refused: relabelling the cells of a part by rank and keeping what touches what. It would serve every graph
alike, but costs several times as much as shifting bit sets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter

from arena.game.board import Board
from arena.game.symmetry import Permutation

Image = Callable[[bytes], int]
Pair = tuple[int, int]

MOST_IMAGES = 2048
"""Symmetries are ignored on a board that has more of them; it is too large to solve anyway."""

MOST_REMEMBERED = 1 << 16
"""So many parts are remembered with their forms: the same small ones are left by most games."""

MOST_TABLED = 512
"""The largest board whose images are looked up byte by byte; larger ones would need too much memory."""


class Shapes:
    """The forms of a board's parts. On any graph: least images under the board's symmetries."""

    def __init__(self, board: Board) -> None:
        self.size = board.size
        self.around = [board.around(cell) for cell in range(board.size)]
        self._low = (1 << board.size) - 1
        self._bytes = (board.size + 7) // 8
        symmetries = board.symmetries
        self._images = _images(symmetries if len(symmetries) <= MOST_IMAGES else symmetries[:1])
        self.forms = lru_cache(MOST_REMEMBERED)(self._find_forms)

    def form(self, cells: int) -> int:
        """Return the form of a part in which both sides may claim every cell: the least image itself."""
        cells = self._place(cells, cells)[0]
        data = cells.to_bytes(self._bytes, "little")
        for image in self._images:
            other = image(data)
            other = self._place(other, other)[0]
            if other < cells:
                cells = other
        return cells

    def _find_forms(self, mine: int, yours: int) -> Pair:
        """Return the form of a part, and its form with the sides exchanged."""
        size, placed = self.size, self._place
        mine, yours = placed(mine, yours)
        form, swapped = mine << size | yours, yours << size | mine
        my_data, your_data = mine.to_bytes(self._bytes, "little"), yours.to_bytes(self._bytes, "little")
        for image in self._images:
            mine, yours = placed(image(my_data), image(your_data))
            other = mine << size | yours
            if other < form:
                form = other
            other = yours << size | mine
            if other < swapped:
                swapped = other
        return form, swapped

    def part(self, form: int) -> Pair:
        """Return a part of one of those forms."""
        return form >> self.size, form & self._low

    def _place(self, mine: int, yours: int) -> Pair:
        """Return a part at its standard place; here it stays where it is."""
        return mine, yours


class FlatShapes(Shapes):
    """On lines and grids: a part is moved into the corner first.

    Rings and tori are such boards too, with cells that touch at a distance: a part that has both of such
    cells keeps them there. Refused: moving parts around the edge as well. The board's own symmetries do that
    already, and no trial needed fewer positions.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        rows, self._columns = _sides(board)
        self._left_edge = sum(1 << row * self._columns for row in range(rows))

    def _place(self, mine: int, yours: int) -> Pair:
        cells = mine | yours
        shift = (cells & -cells).bit_length() - 1
        shift -= shift % self._columns
        cells >>= shift
        left_edge = self._left_edge
        while not cells & left_edge:
            cells >>= 1
            shift += 1
        return mine >> shift, yours >> shift


@lru_cache(maxsize=8)
def shapes_of(board: Board) -> Shapes:
    """Return the `Shapes` of a board, remembered."""
    rows, columns = _sides(board)
    offsets = {(b // columns - a // columns, b % columns - a % columns) for a, b in board.edges}
    # Every edge has one of these offsets: if there are as many edges as places for offsets, all are used.
    if len(board.edges) == sum((rows - down) * (columns - abs(right)) for down, right in offsets):
        return FlatShapes(board)
    return Shapes(board)


def _sides(board: Board) -> Pair:
    return board.rows or 1, board.columns or board.size


def _images(symmetries: Sequence[Permutation]) -> list[Image]:
    """Return the images under all symmetries but the identity, the first."""
    return [image_under(permutation) for permutation in symmetries[1:]]


def image_under(permutation: Permutation) -> Image:
    """Return the function that takes a set of cells, as bytes, to its image."""
    return _tabulate(permutation) if len(permutation) <= MOST_TABLED else _write(permutation)


def _tabulate(permutation: Permutation) -> Image:
    tables: list[list[int]] = []
    for base in range(0, len(permutation), 8):
        table = [0]
        for cell in permutation[base : base + 8]:
            table += [bits | 1 << cell for bits in table]
        tables.append(table)

    def image(data: bytes) -> int:
        bits = 0
        for table, byte in zip(tables, data, strict=True):
            if byte:
                bits |= table[byte]
        return bits

    return image


def _write(permutation: Permutation) -> Image:
    size = len(permutation)
    inverse = sorted(range(size), key=permutation.__getitem__)
    # As text, a number begins with its highest bit.
    chosen = itemgetter(*(size - 1 - cell for cell in reversed(inverse)))

    def image(data: bytes) -> int:
        return int("".join(chosen(f"{int.from_bytes(data, 'little'):0{size}b}")), 2)

    return image
