"""Col: a claim closes its neighbours to the claimer. Every part is worth a number, or a number plus star.

That is a theorem of combinatorial game theory (Winning Ways, chapter 2). It makes sums easy: values add. As
in Kayles, only the smaller parts are valued. The largest part is asked about together with the value of the
others: does the mover win the sum? One winning move answers that.

There are two kinds of questions. An int is the form of a part and asks for its value. A tuple is a form, a
number and a star, and asks whether the mover wins their sum.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.solver.cells import Splits, cells_of, split_entangled
from arena.solver.numbers import Best, Value, next_lower, value_between
from arena.solver.search import Answering
from arena.solver.shapes import Pair, Shapes

Split = tuple[Value, tuple[Pair, ...]]
"""The value of the single cells of a part, and the forms of its other parts, as either side sees them."""


class Col:
    """The engine for the rule under which a claim closes its neighbours to the claimer."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._around = shapes.around
        self._scale = shapes.size
        self._one = 1 << self._scale
        self._cliques = _cliques(shapes)
        self._splits = Splits(self._parts)

    def wins(self, mine: int, yours: int) -> Answering:
        """Return whether the mover wins."""
        worth, parts = self._splits[mine, yours]
        return self._wins(parts, *worth)

    def value(self, mine: int, yours: int) -> Answering:
        """Return the value of a position for the side that may claim `mine`: the sum over its parts."""
        (number, star), parts = self._splits[mine, yours]
        for part in parts:
            more = yield from self._ask_value(part)
            number += more.number
            star ^= more.star
        return Value(number, star)

    def answering(self, question: int | tuple[int, int, int]) -> Answering:
        """Return the value of a part, or whether the mover wins a part with a number and a star."""
        return self._value(question) if isinstance(question, int) else self._outcome(*question)

    def _outcome(self, form: int, number: int, star: int) -> Answering:
        mine, yours = self._shapes.part(form)
        around = self._around
        moves = sorted((self._cost(mine, yours, cell), cell) for cell in cells_of(mine))
        for _, cell in moves:
            worth, parts = self._splits[yours & ~(1 << cell), mine & ~around[cell]]
            if not (yield from self._wins(parts, worth.number - number, worth.star ^ star)):
                return True
        both = self._both(form)
        if star and not (yield from self._wins([both[::-1]], -number, 0)):
            return True
        lower = next_lower(number, self._scale)
        return lower is not None and not (yield from self._wins([both[::-1]], -lower, star))

    def _cost(self, mine: int, yours: int, cell: int) -> int:
        """Return the sort key of a claim: what it closes to its claimer, minus what the other side loses."""
        return (self._around[cell] & mine).bit_count() - (yours >> cell & 1)

    def _value(self, form: int) -> Answering:
        mine, yours = self._shapes.part(form)
        my_best, your_best = Best(), Best()
        for cell in cells_of(mine):
            my_best.add((yield from self.value(mine & ~self._around[cell], yours & ~(1 << cell))))
        for cell in cells_of(yours):
            your_best.add((yield from self.value(yours & ~self._around[cell], mine & ~(1 << cell))))
        return value_between(my_best, your_best, self._scale)

    def _ask_value(self, part: Pair) -> Answering:
        form, swapped = part
        if form <= swapped:
            return (yield form)
        return -(yield swapped)

    def _wins(self, parts: Iterable[Pair], number: int, star: int) -> Answering:
        rest = _without_opposites(parts)
        rest.sort(key=self._by_size)
        while len(rest) > 1:
            more = yield from self._ask_value(rest.pop(0))
            number += more.number
            star ^= more.star
        if not rest:
            return number > 0 or (number == 0 and star == 1)
        form = rest[0][0]
        mine, yours = self._shapes.part(form)
        if number - self._one * self._most(yours) > 0:
            return True
        if number + self._one * self._most(mine) < 0:
            return False
        return (yield form, number, star)

    def _most(self, cells: int) -> int:
        """Return an upper bound of a side's claims: it can claim only one cell of a clique."""
        return min(sum(1 for clique in cover if clique & cells) for cover in self._cliques)

    def _by_size(self, part: Pair) -> Pair:
        mine, yours = self._shapes.part(part[0])
        return (mine | yours).bit_count(), part[0]

    def _both(self, form: int) -> Pair:
        return self._splits[self._shapes.part(form)][1][0]

    def _parts(self, mine: int, yours: int) -> Split:
        number = star = 0
        found = []
        # A claim affects its neighbours that the same side may claim.
        for part in split_entangled(self._around, mine, yours, mine, yours):
            if part & part - 1:
                found.append(self._shapes.forms(mine & part, yours & part))
            elif part & mine & yours:
                star ^= 1
            else:
                number += self._one if part & mine else -self._one
        return Value(number, star), tuple(found)


def _without_opposites(parts: Iterable[Pair]) -> list[Pair]:
    """Return the parts without pairs of a part and its opposite, which cancel."""
    left: list[Pair] = []
    for part in parts:
        if part[::-1] in left:
            left.remove(part[::-1])
        else:
            left.append(part)
    return left


def _cliques(shapes: Shapes) -> list[list[int]]:
    """Return covers of the board by cliques: sets of cells that all touch each other."""
    cells = range(shapes.size)
    return [_cover(shapes.around, cells), _cover(shapes.around, cells[::-1])]


def _cover(around: list[int], order: range) -> list[int]:
    """Return a greedy cover: each cell starts a clique that takes as many later cells as possible."""
    covered = 0
    cover = []
    for cell in order:
        if covered >> cell & 1:
            continue
        clique, common = 1 << cell, around[cell] & ~covered
        for other in list(cells_of(common))[:: order.step]:
            if common >> other & 1:
                clique |= 1 << other
                common &= around[other]
        covered |= clique
        cover.append(clique)
    return cover
