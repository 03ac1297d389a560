"""The winning claims of many positions at once: `thresholds` with numpy, one operation for all of them.

What a claim leaves is worked out for all positions together, cell by cell. Only what the opponent then needs
is asked one by one, once for each pattern. For a thousand positions that takes a tenth of the time.

This module imports numpy, which bots that ask the solver should not have to wait for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.solver.cells import union_over
from arena.solver.thresholds import BASE, FEW, MANY, Thresholds

LARGEST = 31
"""Cells of a board whose patterns, two sets of cells, fit into a machine's number."""

BYTE = 8

CHUNK = 2_000
"""Positions that are looked at together; between chunks, patterns may be forgotten."""

Sets = NDArray[np.int64]
"""Sets of cells, one for each position; or numbers."""


class View(NamedTuple):
    """Positions as their movers see them; see `thresholds`."""

    mine: Sets
    yours: Sets
    free: Sets
    surplus: Sets


def find_all_winning(thresholds: Thresholds, positions: Sequence[tuple[int, int]]) -> list[int | None]:
    """Return the claims that win in each position; None where too many cells are contested."""
    return Many(thresholds).find_winning(positions)


class Many:
    """Looks at many positions of a board of up to `LARGEST` cells."""

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        self._size = len(thresholds.beside)
        self._spreads = _list_tables(thresholds.beside)
        self._counts = np.array([byte.bit_count() for byte in range(1 << BYTE)])

    def find_winning(self, positions: Sequence[tuple[int, int]]) -> list[int | None]:
        """Return the claims that win in each position; None where too many cells are contested."""
        chunks = (positions[start : start + CHUNK] for start in range(0, len(positions), CHUNK))
        return [winning for chunk in chunks for winning in self._find(chunk)]

    def _find(self, positions: Sequence[tuple[int, int]]) -> list[int | None]:
        self._thresholds.make_room()
        mine, yours = np.array(positions, dtype=np.int64).reshape(-1, 2).T
        view = self._view(mine, yours)
        is_small = self._are_small(view.mine | view.yours)
        at = np.flatnonzero(is_small)
        small = View(*(part[at] for part in view))
        found = np.zeros_like(mine)
        found[at] = self._find_contested(small) | self._find_free(small, mine[at])
        return [won if small else None for won, small in zip(found.tolist(), is_small.tolist(), strict=True)]

    def _find_contested(self, view: View) -> Sets:
        """Return the contested cells whose claim wins: the opponent is then left with too little."""
        claims = [self._claim(view, cell) for cell in range(self._size)]
        demands = self._demand(np.concatenate([patterns for _, patterns, _ in claims]))
        winning, done = np.zeros_like(view.mine), 0
        for cell, (at, _, surplus) in enumerate(claims):
            needs = 1 - surplus - demands[done : done + len(at)]
            winning[at[needs <= view.surplus[at]]] |= 1 << cell
            done += len(at)
        return winning

    def _claim(self, view: View, cell: int) -> tuple[Sets, Sets, Sets]:
        """Return in which positions a cell can be claimed, and the patterns and surpluses that follow."""
        at = np.flatnonzero(view.mine >> cell & 1)
        left = view.mine[at] ^ (1 << cell)
        theirs = view.yours[at] & ~(self._thresholds.beside[cell] | 1 << cell)
        after = self._view(theirs, left)
        return at, after.mine << self._size | after.yours, -after.surplus

    def _find_free(self, view: View, mine: Sets) -> Sets:
        """Return the free moves, if they win: they leave the opponent the same pattern to move in."""
        at = np.flatnonzero(view.free)
        demands = self._demand(view.yours[at] << self._size | view.mine[at])
        won = at[1 - view.surplus[at] < demands]
        winning = np.zeros_like(mine)
        winning[won] = mine[won] ^ view.mine[won]
        return winning

    def _demand(self, patterns: Sets) -> Sets:
        """Return what the mover of each pattern needs."""
        distinct, at = np.unique(patterns, return_inverse=True)
        mask, demand = (1 << self._size) - 1, self._thresholds.demand
        found = [demand(pattern >> self._size, pattern & mask) for pattern in distinct.tolist()]
        return np.array(found, dtype=np.int64)[at]

    def _view(self, mine: Sets, yours: Sets) -> View:
        contested_mine = mine & (yours | self._spread(yours))
        contested_yours = yours & (mine | self._spread(mine))
        free = self._count(mine ^ contested_mine)
        return View(contested_mine, contested_yours, free, free - self._count(yours ^ contested_yours))

    def _are_small(self, contested: Sets) -> NDArray[np.bool_]:
        """Whether patterns have few enough cells, as `thresholds` has it."""
        count = self._count(contested)
        links = np.zeros_like(count)
        for cell, beside in enumerate(self._thresholds.beside):
            links += (contested >> cell & 1) * self._count(contested & beside)
        return (count <= FEW) | (count <= MANY) & (count * (count - BASE) <= 2 * links)

    def _spread(self, cells: Sets) -> Sets:
        """Return all neighbours of sets of cells."""
        found: Sets = self._spreads[0][cells & 255]
        for number, table in enumerate(self._spreads[1:], 1):
            found |= table[cells >> number * BYTE & 255]
        return found

    def _count(self, cells: Sets) -> Sets:
        found: Sets = self._counts[cells & 255]
        for number in range(1, len(self._spreads)):
            found += self._counts[cells >> number * BYTE & 255]
        return found


def _list_tables(beside: Sequence[int]) -> list[Sets]:
    """Return the neighbours of every set within each byte of a board."""
    bytes_ = [union_over(beside[start : start + BYTE]) for start in range(0, len(beside), BYTE)]
    return [
        np.array([union(cells & ((1 << min(BYTE, len(beside) - at * BYTE)) - 1)) for cells in range(256)])
        for at, union in enumerate(bytes_)
    ]
