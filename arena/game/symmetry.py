"""Symmetries of a board (graph automorphisms): permutations of its cells that keep all neighbours.

Board families know a few symmetries that generate the rest (`group`). For any other graph they are searched
for (`automorphisms`). Either way the answer is a group. If the whole group is too large to list, a smaller
group is used, never an arbitrary part of one, because a least image is canonical only under a group. Work is
limited by counting steps, never by a clock, so every machine gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Permutation = tuple[int, ...]

MOST_ENTRIES = 1_000_000
"""The most cells that are written down for one group: permutations times size."""


MOST_LOOKED_AT = 20_000_000
"""The most neighbours that one search looks at: on a large dense graph steps are few and long."""


def group(size: int, generators: Iterable[Permutation]) -> tuple[Permutation, ...]:
    """Return the group that the generators make, the identity first.

    Generators are added one after the other, until one would make the group too large to list. So put the
    important ones first.
    """
    members: tuple[Permutation, ...] = (tuple(range(size)),)
    taken: list[Permutation] = []
    for generator in generators:
        larger = _closure(members, [*taken, generator], MOST_ENTRIES // max(size, 1))
        if larger is None:
            break
        members = larger
        taken.append(generator)
    return members


def _closure(
    members: tuple[Permutation, ...], generators: Sequence[Permutation], most: int
) -> tuple[Permutation, ...] | None:
    found = dict.fromkeys(members)
    fresh = list(members)
    while fresh:
        permutation = fresh.pop()
        for generator in generators:
            product = tuple(generator[cell] for cell in permutation)
            if product not in found:
                if len(found) >= most:
                    return None
                found[product] = None
                fresh.append(product)
    return tuple(found)


def automorphisms(neighbours: Sequence[Sequence[int]]) -> tuple[Permutation, ...]:
    """Return all symmetries of any graph, or the identity alone if finding them takes too long."""
    search = _Search(neighbours)
    identity = tuple(range(len(neighbours)))
    found = search.all()
    if found is None:
        return (identity,)
    return (identity, *sorted(permutation for permutation in found if permutation != identity))


class _Search:
    """Depth-first search for automorphisms, in an order in which each cell touches earlier ones."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self._around = [frozenset(cells) for cells in neighbours]
        self._kind = _refine(neighbours)
        self._order = self._connected_order()
        self._steps = MOST_ENTRIES
        self._looked_at = MOST_LOOKED_AT

    def all(self) -> list[Permutation] | None:
        """Return every automorphism, or None if that takes too many steps."""
        size = len(self._order)
        found: list[Permutation] = []
        image: dict[int, int] = {}
        used: set[int] = set()
        choices = [self._images(0, image, used)] if size else []
        while choices:
            depth = len(choices) - 1
            cell = self._order[depth]
            if cell in image:
                used.discard(image.pop(cell))
            if not choices[-1]:
                choices.pop()
                continue
            image[cell] = choices[-1].pop()
            used.add(image[cell])
            if depth + 1 < size:
                choices.append(self._images(depth + 1, image, used))
            else:
                found.append(tuple(image[c] for c in range(size)))
                self._steps -= size
            if self._steps < 0:
                return None
        return found

    def _images(self, depth: int, image: dict[int, int], used: set[int]) -> list[int]:
        """Return where the cell at this depth may go, given where the earlier ones went."""
        cell = self._order[depth]
        placed = [image[other] for other in self._around[cell] if other in image]
        self._looked_at -= sum(len(self._around[other]) for other in placed)
        if self._looked_at < 0:
            self._steps = -1
            return []
        candidates = set.intersection(*(set(self._around[p]) for p in placed)) if placed else set(self._order)
        self._steps -= 1 + len(candidates)
        return [
            candidate
            for candidate in sorted(candidates, reverse=True)
            if candidate not in used
            and self._kind[candidate] == self._kind[cell]
            and sum(other in used for other in self._around[candidate]) == len(placed)
        ]

    def _connected_order(self) -> list[int]:
        """Return the cells, rare kinds first, each next to an earlier one wherever possible."""
        rarity = {kind: self._kind.count(kind) for kind in set(self._kind)}
        left = sorted(range(len(self._kind)), key=lambda cell: (rarity[self._kind[cell]], cell))
        order: dict[int, None] = {}
        for start in left:
            queue = [start]
            for cell in queue:
                if cell not in order:
                    order[cell] = None
                    queue.extend(sorted(self._around[cell] - order.keys()))
        return list(order)


def _refine(neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Return a kind for each cell such that symmetries keep it (colour refinement)."""
    kinds = [len(cells) for cells in neighbours]
    work = len(kinds) + sum(kinds)
    # Stopping early makes kinds coarser, never wrong.
    for _ in range(max(1, MOST_ENTRIES // max(work, 1))):
        signatures = [
            (kinds[c], tuple(sorted(kinds[n] for n in cells))) for c, cells in enumerate(neighbours)
        ]
        numbers = {signature: number for number, signature in enumerate(sorted(set(signatures)))}
        if len(numbers) == len(set(kinds)):
            break
        kinds = [numbers[signature] for signature in signatures]
    return kinds
