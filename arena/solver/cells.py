"""Sets of cells as ints: the few loops over bits that all engines share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def cells_of(cells: int) -> Iterator[int]:
    """Yield the cells of a set, ascending."""
    while cells:
        low = cells & -cells
        cells ^= low
        yield low.bit_length() - 1


def connected(around: Sequence[int], cells: int) -> Iterator[int]:
    """Yield the parts of a set of cells that do not touch each other."""
    while cells:
        part = front = cells & -cells
        while front:
            low = front & -front
            near = around[low.bit_length() - 1] & cells & ~part
            part |= near
            front = front ^ low | near
        yield part
        cells ^= part
