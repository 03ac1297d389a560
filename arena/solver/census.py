"""A census of a variant: how long its games last, who wins them by chance, whether any choice matters. Pure.

All positions of one ply are held at once, each with the probability that moves at random reach it. From each
position it is shared equally among the next ones. So nothing is sampled, and one pass gives the lengths,
the first side's share and the possible winners.

Equivalent positions are merged: mirror images, and positions that differ only in *which* cells are loose. A
cell is loose if its claim closes no other open cell to anyone, and no other claim can close it. Only the
number of loose cells matters. That leaves few of the million positions of blockade-5x5.

A census gives up after a number of positions, not of seconds, so that every machine says the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from arena.game import RULES, Variant
from arena.game.definition import define, short
from arena.solver.cells import union_over

MOST_POSITIONS = 60_000
MOST_CELLS = 64


class Census(NamedTuple):
    """All games of a variant."""

    shortest: int
    longest: int
    first_share: float  # the share of games with moves at random that side 0 wins
    winners: frozenset[int]  # the sides that win at least one game


COUNTED = {"e106d9b5115c": Census(7, 20, 0.53225302696843, frozenset({0, 1}))}
"""Censuses that take long, by the version of their variants; a test counts them again. It is blockade-5x5."""


class _State(NamedTuple):
    """A position as the side to move sees it: what either side may claim, and how many cells are loose."""

    mine: int
    yours: int
    loose_mine: int  # open to the side to move alone
    loose_yours: int
    loose_both: int


def census(variant: Variant, most_positions: int = MOST_POSITIONS) -> Census | None:
    """Return the census of a variant, or None if it has too many positions."""
    if variant.board.size > MOST_CELLS:
        return None
    return COUNTED.get(short(define(variant))) or count(variant, most_positions)


def count(variant: Variant, most_positions: int = MOST_POSITIONS) -> Census | None:
    """Return the census of a variant without looking it up."""
    return _Counting(variant).census(most_positions)


class _Counting:
    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        board, rule = variant.board, RULES[variant.rule]
        self._by_own, self._by_other = rule.closes_to_claimer, rule.closes_to_opponent
        around = tuple(board.around(cell) & ~(1 << cell) for cell in range(board.size))
        self._spread = union_over(around)  # all neighbours of a set of cells

    @cached_property
    def _images(self) -> list[Callable[[int], int]]:
        """The images under each symmetry; the identity needs none."""
        symmetries = self._variant.board.symmetries[1:]
        return [union_over([1 << target for target in permutation]) for permutation in symmetries]

    def census(self, most_positions: int) -> Census | None:
        every = self._variant.board.every_cell
        held = {self._state(every, every, 0, 0, 0): 1.0}
        lengths: list[int] = []
        shares = [0.0, 0.0]
        ply = seen = 0
        while held:
            seen += len(held)
            held, ended = self._next(held, most_positions - seen)
            if seen + len(held) > most_positions:
                return None
            if ended:
                lengths.append(ply)
                shares[1 - ply % 2] += ended
            ply += 1
        winners = frozenset(side for side in (0, 1) if shares[side])
        return Census(lengths[0], lengths[-1], shares[0], winners)

    def _next(self, held: dict[_State, float], most: int) -> tuple[dict[_State, float], float]:
        """Return the positions of the next ply, and the probability that the game is over before it.

        It stops as soon as there are more than `most`.
        """
        least: dict[_State, _State] = {}
        after: dict[_State, float] = {}
        ended = 0.0
        for state, chance in held.items():
            if len(after) > most:
                break
            moves = state.mine.bit_count() + state.loose_mine + state.loose_both
            if not moves:
                ended += chance
            for child, count in self._children(state):
                if child not in least:
                    least[child] = self._least_image(child)
                after[least[child]] = after.get(least[child], 0.0) + chance * count / moves
        return after, ended

    def _children(self, state: _State) -> list[tuple[_State, int]]:
        """Return the next positions, each with the number of moves that lead to it."""
        mine, yours, loose_mine, loose_yours, loose_both = state
        children = []
        if loose_mine:
            children.append((_State(yours, mine, loose_yours, loose_mine - 1, loose_both), loose_mine))
        if loose_both:
            children.append((_State(yours, mine, loose_yours, loose_mine, loose_both - 1), loose_both))
        for cell in self._variant.cells_of[mine]:
            _, _, claimer_keeps, opponent_keeps = self._variant.claims[cell]
            child = self._state(
                yours & opponent_keeps, mine & claimer_keeps, loose_yours, loose_mine, loose_both
            )
            children.append((child, 1))
        return children

    def _state(self, mine: int, yours: int, loose_mine: int, loose_yours: int, loose_both: int) -> _State:
        """Return a position in which the cells that have become loose are removed and counted."""
        beside_mine, beside_yours = self._spread(mine), self._spread(yours)
        mine_matter = (beside_mine if self._by_own else 0) | (beside_yours if self._by_other else 0)
        yours_matter = (beside_yours if self._by_own else 0) | (beside_mine if self._by_other else 0)
        free_mine, free_yours = mine & ~yours & ~mine_matter, yours & ~mine & ~yours_matter
        free_both = mine & yours & ~mine_matter & ~yours_matter
        return _State(
            mine & ~free_mine & ~free_both,
            yours & ~free_yours & ~free_both,
            loose_mine + free_mine.bit_count(),
            loose_yours + free_yours.bit_count(),
            loose_both + free_both.bit_count(),
        )

    def _least_image(self, state: _State) -> _State:
        mine, yours = least = state.mine, state.yours
        for image_of in self._images:
            image = image_of(mine)
            if image <= least[0]:
                least = min(least, (image, image_of(yours)))
        return state if least == (mine, yours) else state._replace(mine=least[0], yours=least[1])
