"""Node Kayles: a claim closes its neighbours to both sides. By Sprague-Grundy, a part is worth a nimber.

The question is never "what is this part worth?" but "does the mover win this part plus a heap of k?". A sum
is decided by the nimbers (Grundy values) of all parts but its largest. A nimber is found by asking for k = 0,
1, ... until the mover loses. The largest part is asked about with one k only, and one winning move answers
it.

Parts that are paths or rings need no search: their nimbers are those of Dawson's Kayles.

Refused: the Grundy values of all parts. That engine is simpler, but visits ten times as many parts (17,334
instead of 1,583 on a grid of 7 x 7).
"""

from __future__ import annotations

from arena.solver.cells import cells_of, split_connected
from arena.solver.paths import nimber_of_path, nimber_of_ring
from arena.solver.search import Answering
from arena.solver.shapes import Shapes

Heap = tuple[int, int]
"""A question: the form of a part, and k. The answer: whether the mover wins the two together."""

Sum = tuple[tuple[int, ...], int]
"""The forms of the parts to be searched, the largest last, and the nimber of all the others."""

MOST_SUMS = 1_000_000


class Kayles:
    """The engine for the rule under which a claim closes its neighbours to both."""

    def __init__(self, shapes: Shapes) -> None:
        self._form = shapes.form
        self._around = shapes.around
        self._sums: dict[int, Sum] = {}

    def wins(self, mine: int, yours: int) -> Answering:
        """Return whether the mover wins."""
        assert mine == yours, "what is closed to one side is closed to both"
        return self._wins(mine, 0)

    def nimber(self, cells: int) -> Answering:
        """Return the nimber of some cells: the size of an equal heap, 0 if the mover loses."""
        parts, nimber = self._sum(cells)
        return nimber ^ (yield from _nimber(parts))

    def answering(self, question: Heap) -> Answering:
        """Return whether the mover wins a part and a heap."""
        part, heap = question
        for smaller in range(heap):
            if not (yield part, smaller):
                return True
        around = self._around
        for left in sorted({part & ~around[cell] for cell in cells_of(part)}, key=_by_size):
            if not (yield from self._wins(left, heap)):
                return True
        return False

    def _wins(self, cells: int, heap: int) -> Answering:
        parts, nimber = self._sum(cells)
        heap ^= nimber
        if not parts:
            return heap != 0
        heap ^= yield from _nimber(parts[:-1])
        return (yield parts[-1], heap)

    def _sum(self, cells: int) -> Sum:
        """Return a set of cells as a sum of parts; remembered, because most sets are met many times."""
        known = self._sums.get(cells)
        if known is None:
            if len(self._sums) >= MOST_SUMS:
                self._sums.clear()
            known = self._sums[cells] = self._split(cells)
        return known

    def _split(self, cells: int) -> Sum:
        nimber = 0
        odd: set[int] = set()
        for part in split_connected(self._around, cells):
            known = self._look_up(part)
            if known is None:
                # Two equal parts cancel.
                odd ^= {self._form(part)}
            else:
                nimber ^= known
        return tuple(sorted(odd, key=_by_size)), nimber

    def _look_up(self, part: int) -> int | None:
        """Return the nimber of a path or ring, None for other parts."""
        ends = 0
        for cell in cells_of(part):
            near = (self._around[cell] & part).bit_count() - 1
            if near > 2:
                return None
            ends += 2 - near
        size = part.bit_count()
        return nimber_of_path(size) if ends else nimber_of_ring(size)


def _nimber(parts: tuple[int, ...]) -> Answering:
    """Return the nimber of a sum: a part is worth the k of the heap with which the mover loses it."""
    total = 0
    for part in parts:
        heap = 0
        while (yield part, heap):
            heap += 1
        total ^= heap
    return total


def _by_size(cells: int) -> tuple[int, int]:
    return cells.bit_count(), cells
