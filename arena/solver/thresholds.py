"""Snort with few contested cells: how many free moves the mover needs to win, found once for each pattern.

A cell is contested if both sides may claim it, or if it has a neighbour that the other side may claim. The
other cells are free moves of one side, and only the mover's surplus of them matters (see `snort`). More free
moves never hurt, so every pattern of contested cells has a least surplus with which its mover wins. That one
number answers for all positions with the pattern.

A claim leaves the opponent a pattern, which has a number of its own, and turns some cells into free moves.
The mover wins by it if the opponent's surplus is then too small. The best claim gives the mover's number.

The search of `solver` cuts branches off and recognises shapes, which large patterns need. Small ones are
found sooner without it: blockade-5x5 has 54,000 patterns in all, 7,000 up to symmetry.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.game import Variant
from arena.solver.cells import cells_of, union_over

FEW, MANY = 14, 25
"""How many contested cells are always few enough, and how many may be."""

BASE = 11
"""In between, there may be this many, plus two for every contested neighbour that a cell has on average.

The more a claim settles, the fewer patterns follow. So the worst boards have some 60,000 of them, which take
half a second: a king's grid with 24 cells, a rook's with 17, a line with 14.
"""

NOTHING_CONTESTED = 1
"""The surplus that the mover needs where nothing is contested: one free move more than the opponent."""

MOST_IMAGED, MOST_IMAGES = 32, 7
"""What is found for a pattern holds for its images too: on boards of so many cells, so many symmetries.

Images are cheaper than searching. On larger boards, or of a torus, most are never met.
"""

MOST_REMEMBERED = 300_000
"""When there are more patterns than this, they are forgotten before the next position is looked at."""


class Demands(NamedTuple):
    """The surplus that the mover of a pattern needs: to win at all, and to win by a claim of each cell."""

    least: int
    by_claim: tuple[int, ...]


View = tuple[int, int, int, int]
"""A position as its mover sees it: both sides of the pattern, the mover's free moves, the surplus of them."""


class Thresholds:
    """Answers for the small positions of one variant of Snort, and remembers their patterns."""

    def __init__(self, variant: Variant) -> None:
        board = variant.board
        self._size = board.size
        self.beside = [board.around(cell) & ~(1 << cell) for cell in range(board.size)]
        self._keeps = {1 << cell: ~board.around(cell) for cell in range(board.size)}  # the opponent
        self._spread = union_over(self.beside)  # all neighbours of a set of cells
        symmetries = board.symmetries[1:] if board.size <= MOST_IMAGED else ()
        self._images = [union_over([1 << target for target in moved]) for moved in symmetries[:MOST_IMAGES]]
        self._is_small = lru_cache(MOST_REMEMBERED)(self._find_small)
        self._known: dict[int, Demands] = {}
        self.looked_at = 0  # patterns, ever

    def wins(self, mine: int, yours: int) -> bool | None:
        """Return whether the mover wins; None if too many cells are contested."""
        view = self._look(mine, yours)
        return None if view is None else view[3] >= self._demands(*view[:2]).least

    def count_losing(self, mine: int, yours: int) -> int | None:
        """Return how many of the mover's claims lose; None if too many cells are contested."""
        view = self._look(mine, yours)
        if view is None:
            return None
        mine, yours, free, surplus = view
        lost = sum(map(surplus.__lt__, self._demands(mine, yours).by_claim))
        return lost + free if free and self._is_free_lost(view) else lost

    def find_winning(self, mine: int, yours: int) -> int | None:
        """Return the claims that win, as a set of cells; None if too many cells are contested."""
        view = self._look(mine, yours)
        if view is None:
            return None
        contested, _, free, surplus = view
        needs = zip(cells_of(contested), self._list_needs(*view[:2]), strict=True)
        winning = sum(1 << cell for cell, need in needs if need <= surplus)
        return winning | (mine ^ contested) if free and not self._is_free_lost(view) else winning

    def demand(self, mine: int, yours: int) -> int:
        """Return the surplus that the mover of a pattern needs to win."""
        return self._demands(mine, yours).least

    def make_room(self) -> None:
        """Forget all patterns if there are too many."""
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()

    def _is_free_lost(self, view: View) -> bool:
        """Whether a free move loses: the opponent then has the same pattern to move in."""
        mine, yours, _, surplus = view
        return 1 - surplus >= self._demands(yours, mine).least

    def _look(self, mine: int, yours: int) -> View | None:
        if (mine & yours).bit_count() > MANY:
            return None
        self.make_room()
        view = self._view(mine, yours)
        return view if self._is_small(view[0] | view[1]) else None

    def _find_small(self, contested: int) -> bool:
        """Whether a pattern has few enough cells."""
        count = contested.bit_count()
        if not FEW < count <= MANY:
            return count <= FEW
        links = sum((self.beside[cell] & contested).bit_count() for cell in cells_of(contested))
        return count * (count - BASE) <= 2 * links

    def _view(self, mine: int, yours: int) -> View:
        contested_mine = mine & (yours | self._spread(yours))
        contested_yours = yours & (mine | self._spread(mine))
        free = (mine ^ contested_mine).bit_count()
        return contested_mine, contested_yours, free, free - (yours ^ contested_yours).bit_count()

    def _demands(self, mine: int, yours: int) -> Demands:
        """Return what the mover of a pattern needs."""
        found = self._known.get(mine << self._size | yours)
        return self._find(mine, yours) if found is None else found

    def _find(self, mine: int, yours: int) -> Demands:
        """Work out what the mover of a pattern needs, and keep it for all images of the pattern."""
        self.looked_at += 1
        needs = sorted(self._list_needs(mine, yours))
        demands = Demands(needs[0] if needs else NOTHING_CONTESTED, tuple(needs))
        self._known[mine << self._size | yours] = demands
        for image in self._images:
            self._known[image(mine) << self._size | image(yours)] = demands
        return demands

    def _list_needs(self, mine: int, yours: int) -> list[int]:
        """Return the surplus that the mover of a pattern needs to win by each claim, by cell.

        After a claim the opponent's surplus must be below what the opponent needs. This is `_view` and
        `_demands` written out in one loop: it is run some 400,000 times for blockade-5x5.
        """
        known, spread, size, keeps = self._known, self._spread, self._size, self._keeps
        needs = []
        rest = mine
        while rest:
            bit = rest & -rest
            rest ^= bit
            left, theirs = mine ^ bit, yours & keeps[bit]
            contested, answer = left & (theirs | spread(theirs)), theirs & (left | spread(left))
            surplus = (left ^ contested).bit_count() - (theirs ^ answer).bit_count()
            found = known.get(answer << size | contested) or self._find(answer, contested)
            needs.append(1 - surplus - found[0])
        return needs
