"""Mirrors: positions that the mover loses because the opponent can answer every claim by its image.

This is a pairing strategy, proven by symmetry (a Tweedledum-Tweedledee argument). Let m be a symmetry of the
board that is its own inverse and maps every cell open to the mover to one open to the opponent. If no claim
closes its own image to the opponent, the opponent answers every claim by its image. That leaves a position of
the same kind, so the opponent makes the last move. More cells open to the opponent only help the opponent.

It shows at once who wins on many boards that are too large to search: Col on an even grid, Kayles and Snort
on an odd one, by claiming the centre.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.game.board import Board
from arena.game.rule import RULES
from arena.game.symmetry import Permutation
from arena.game.variant import Claim, Variant
from arena.solver.shapes import Image, image_under

MOST_WORK = 50_000
"""Boards with more mirrors times cells than this are skipped: looking would take longer than it is worth."""


class Mirror(NamedTuple):
    """A symmetry that is its own inverse, and the cells whose claim closes their image to the opponent."""

    cells: Permutation
    image: Image
    spoilers: int


class Mirrors:
    """The mirrors of a variant's board, and what they prove."""

    def __init__(self, variant: Variant) -> None:
        board = variant.board
        own_inverses = [p for p in board.symmetries[1:] if _is_own_inverse(p)]
        if len(own_inverses) * board.size > MOST_WORK:
            own_inverses = []
        reaches = RULES[variant.rule].closes_to_opponent
        self._mirrors = [Mirror(p, image_under(p), _spoilers(board, p, reaches)) for p in own_inverses]
        self._claims: list[Claim] = [variant.claims[cell] for cell in range(board.size)]
        self._bytes = (board.size + 7) // 8

    def decide(self, mine: int, yours: int) -> bool | None:
        """Return whether the mover wins, if a mirror shows it now or after one claim; else None."""
        if self.show_loss(mine, yours):
            return False
        if any(self._has_claim(mirror, mine, yours) for mirror in self._mirrors):
            return True
        return None

    def show_loss(self, mine: int, yours: int) -> bool:
        """Whether a mirror shows that the mover loses."""
        return any(
            not mine & mirror.spoilers and not self._image(mirror, mine) & ~yours for mirror in self._mirrors
        )

    def _has_claim(self, mirror: Mirror, mine: int, yours: int) -> bool:
        """Whether the mover has a claim after which the mirror shows that the opponent loses."""
        spoiling, image = yours & mirror.spoilers, self._image(mirror, yours)
        claims = self._claims
        for (_, bit, claimer_keeps, opponent_keeps), reflected in zip(claims, mirror.cells, strict=True):
            if mine & bit and not spoiling & opponent_keeps:
                # The image of what a claim closes is what the image of the claim would close.
                left = image & claims[reflected][3]
                if not left & ~(mine & claimer_keeps):
                    return True
        return False

    def _image(self, mirror: Mirror, cells: int) -> int:
        return mirror.image(cells.to_bytes(self._bytes, "little"))


@lru_cache(maxsize=8)
def mirrors_of(variant: Variant) -> Mirrors:
    """Return the mirrors of a variant, remembered."""
    return Mirrors(variant)


def _is_own_inverse(permutation: Permutation) -> bool:
    return all(permutation[image] == cell for cell, image in enumerate(permutation))


def _spoilers(board: Board, mirror: Permutation, reaches_neighbours: bool) -> int:
    closed = [board.around(cell) if reaches_neighbours else 1 << cell for cell in range(board.size)]
    return sum(1 << cell for cell, image in enumerate(mirror) if closed[cell] >> image & 1)
