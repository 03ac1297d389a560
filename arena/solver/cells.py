"""Sets of cells as ints (bitboards): the few loops over bits that all engines share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

MOST_SPLITS = 1_000_000

CHUNK = 13
"""Cells whose subsets have one table, so that two tables do for the boards of the rule books."""

MASK = (1 << CHUNK) - 1


def cells_of(cells: int) -> Iterator[int]:
    """Yield the cells of a set, ascending."""
    while cells:
        low = cells & -cells
        cells ^= low
        yield low.bit_length() - 1


def split_connected(around: Sequence[int], cells: int) -> Iterator[int]:
    """Yield the connected components of a set of cells."""
    while cells:
        part = front = cells & -cells
        while front:
            low = front & -front
            near = around[low.bit_length() - 1] & cells & ~part
            part |= near
            front = front ^ low | near
        yield part
        cells ^= part


def split_entangled(
    around: Sequence[int], mine: int, yours: int, by_mine: int, by_yours: int
) -> Iterator[int]:
    """Yield the independent parts of what two sides may claim: no claim in one affects another.

    A claim of a cell in `mine` affects its neighbours that are in `by_mine`; the same holds for `yours`.
    """
    left = mine | yours
    while left:
        part = front = left & -left
        while front:
            low = front & -front
            near = (by_mine if mine & low else 0) | (by_yours if yours & low else 0)
            near &= around[low.bit_length() - 1] & ~part
            part |= near
            front = front ^ low | near
        yield part
        left &= ~part


class Splits(dict[tuple[int, int], T], Generic[T]):
    """How parts of a board split, remembered, because most parts are met many times."""

    def __init__(self, split: Callable[[int, int], T]) -> None:
        super().__init__()
        self._split = split

    def __missing__(self, part: tuple[int, int]) -> T:
        if len(self) >= MOST_SPLITS:
            self.clear()
        found = self[part] = self._split(*part)
        return found


def union_over(parts: Sequence[int]) -> Callable[[int], int]:
    """Return the function from a set of cells to the union of what belongs to each of them."""
    tables = [_list_unions(parts[start : start + CHUNK]) for start in range(0, len(parts), CHUNK)]
    if len(tables) <= 2:
        low, high = (*tables, [0])[:2] if tables else ([0], [0])
        return lambda cells: low[cells & MASK] | high[cells >> CHUNK]

    def union(cells: int) -> int:
        found = at = 0
        while cells:
            found |= tables[at][cells & MASK]
            cells >>= CHUNK
            at += 1
        return found

    return union


def _list_unions(parts: Sequence[int]) -> list[int]:
    """Return the union for every subset of some cells."""
    unions = [0]
    for part in parts:
        unions += [union | part for union in unions]
    return unions
