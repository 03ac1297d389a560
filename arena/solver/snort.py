"""Snort: a claim closes its neighbours to the opponent. Parts are hot games, so only whole sums are decided.

A position is split into parts that have no effect on each other. A cell that only one side may claim, and
whose claim closes nothing, is a free move (an integer in the game's value). Free moves of the two sides
cancel, and only their difference is kept. A part and the same part with sides exchanged (G - G) are worth
nothing together. The rest is the question: the mover's surplus of free moves, and the forms of the contested
parts as the mover sees them. The answer is whether the mover wins.

Nobody uses a free move while another claim is left. Proof: a claim turns a sum G into some H, and H plus one
free move is at least as good as G: whatever is played in G can be copied, with the free move in place of the
claim that was already made. So H is at least as good as G minus a free move.

Bounds end most branches: a side cannot make more moves than there are cells open to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.solver.cells import Splits, cells_of, split_entangled
from arena.solver.search import Answering
from arena.solver.shapes import Pair, Shapes

Sum = tuple[int, ...]
"""A question: the mover's surplus of free moves, and the forms of the contested parts, ascending."""

Split = tuple[int, tuple[Pair, ...]]
"""The surplus of free moves in a part, and the forms of its contested parts, as either side sees them."""


class Snort:
    """The engine for the rule under which a claim closes its neighbours to the opponent."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._around = shapes.around
        self._splits = Splits(self._parts)

    def wins(self, mine: int, yours: int) -> Answering:
        """Return whether the mover wins."""
        surplus, parts = self._splits[mine, yours]
        return self._wins(surplus, parts)

    def answering(self, question: Sum) -> Answering:
        """Return whether the mover wins a sum."""
        surplus, *forms = question
        parts = [self._shapes.part(form) for form in forms]
        for _, number, cell in sorted(self._moves(parts)):
            mine, yours = parts[number]
            more, contested = self._splits[mine & ~(1 << cell), yours & ~self._around[cell]]
            rest = [self._both(form) for form in forms[:number] + forms[number + 1 :]]
            if not (yield from self._wins(-surplus - more, _exchange([*rest, *contested]))):
                return True
        return False

    def _wins(self, surplus: int, parts: Iterable[Pair]) -> Answering:
        """Return whether the mover wins, without a question where that can be seen."""
        forms = _without_opposites(parts)
        my_moves = your_moves = 0
        for form in forms:
            mine, yours = self._shapes.part(form)
            my_moves += mine.bit_count()
            your_moves += yours.bit_count()
        if surplus > your_moves:
            return True
        if surplus + my_moves <= 0:
            return False
        return (yield surplus, *forms)

    def _moves(self, parts: list[Pair]) -> Iterator[tuple[int, int, int]]:
        """Yield the mover's claims with a sort key: those that change most come first."""
        around = self._around
        previous = None
        for number, part in enumerate(parts):
            if part == previous:
                continue
            previous = mine, yours = part
            for cell in cells_of(mine):
                heat = (around[cell] & yours).bit_count()
                if yours >> cell & 1:
                    heat += (around[cell] & mine).bit_count()
                yield -heat, number, cell

    def _both(self, form: int) -> Pair:
        """Return the form of a part as either side sees it."""
        return self._splits[self._shapes.part(form)][1][0]

    def _parts(self, mine: int, yours: int) -> Split:
        surplus = 0
        found = []
        # A claim affects its neighbours that the other side may claim.
        for part in split_entangled(self._around, mine, yours, yours, mine):
            if part & yours == 0:
                surplus += part.bit_count()
            elif part & mine == 0:
                surplus -= part.bit_count()
            else:
                found.append(self._shapes.forms(mine & part, yours & part))
        return surplus, tuple(found)


def _exchange(parts: list[Pair]) -> Iterator[Pair]:
    return ((swapped, form) for form, swapped in parts)


def _without_opposites(parts: Iterable[Pair]) -> list[int]:
    """Return the forms, ascending, without pairs of a part and its opposite, which cancel."""
    forms: list[int] = []
    for form, swapped in parts:
        if swapped in forms:
            forms.remove(swapped)
        else:
            forms.append(form)
    forms.sort()
    return forms
