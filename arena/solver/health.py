"""The health of a variant: who wins, how much depends on the first move, whether it can rank bots. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.game import Variant
from arena.solver import Solution, Solver
from arena.solver.census import MOST_CELLS as MOST_COUNTED
from arena.solver.census import Census, census

BUDGET = 10_000
"""The most positions for finding the winner, and for each first move."""

MOST_POSITIONS = 2 * BUDGET
"""When so many were looked at, no further first move is tried."""

MOST_CELLS = 400
"""Larger boards are not tried."""

SIDES = ("first", "second")


class Health(NamedTuple):
    """What is known of a variant."""

    variant: Variant
    solution: Solution
    census: Census | None

    @property
    def perfect_play(self) -> str:
        """Who wins with perfect play, and by which first moves."""
        winner, moves = self.solution.winner, self.solution.winning_moves
        if winner is None:
            return "not solved"
        if winner == 1:
            return "the second side wins"
        names = ", ".join(map(self.variant.notation.name, moves[:4])) + (", ..." if len(moves) > 4 else "")
        is_only = len(moves) == 1 and not self.solution.unknown_moves
        return f"the first side wins, {'only ' if is_only else ''}with {names}"

    @property
    def lengths(self) -> str:
        """How many plies games last."""
        return "not counted" if self.census is None else _range(self.census)

    @property
    def by_chance(self) -> str:
        """The first side's share of the games between bots that move at random."""
        return "not counted" if self.census is None else f"{self.census.first_share:.0%}"

    @property
    def verdict(self) -> str:
        """Whether a tournament on this variant can rank anybody."""
        if self.census is None:
            return "too large to say"
        return _why(self.census) or "choices matter"


def health(variant: Variant) -> Health:
    """Look at a variant: solve its first position, and count its games."""
    start = variant.start()
    if variant.board.size > MOST_CELLS:
        return Health(variant, Solution(None, (), start.legal_moves, 0), None)
    return Health(variant, _solve_start(variant), census(variant))


def _solve_start(variant: Variant) -> Solution:
    """Solve the first position; of moves that are images of each other, one is tried for all."""
    start, solver = variant.start(), Solver(variant)
    winner = solver.winner(start, BUDGET)
    if winner is None:
        return Solution(None, (), start.legal_moves, solver.looked_at)
    moves = start.legal_moves if winner == start.to_move else ()
    alike = {cell: min(symmetry[cell] for symmetry in variant.board.symmetries) for cell in moves}
    # Symmetry shows some at once, without a search.
    known = {cell: solver.winner(start.play(cell), 0) for cell in dict.fromkeys(alike.values())}
    for cell, side in known.items():
        if side is None and solver.looked_at < MOST_POSITIONS:
            known[cell] = solver.winner(start.play(cell), BUDGET)
    found = {cell: known[first] for cell, first in alike.items()}
    winning = tuple(cell for cell, side in found.items() if side == winner)
    unknown = tuple(cell for cell, side in found.items() if side is None)
    return Solution(winner, winning, unknown, solver.looked_at)


@lru_cache(64)
def why_degenerate(variant: Variant) -> str | None:
    """Return why a variant cannot rank anybody: it is proven that one side wins every game; else None."""
    if variant.board.size > MOST_COUNTED or _has_both_winners(variant):
        return None
    found = census(variant)
    return None if found is None else _why(found)


def _why(found: Census) -> str | None:
    if len(found.winners) > 1:
        return None
    (winner,) = found.winners
    return f"degenerate: every legal game lasts {_range(found)} plies; the {SIDES[winner]} side always wins"


def _has_both_winners(variant: Variant) -> bool:
    """Whether a few simple games show that either side can win; then no census is needed."""
    winners = set()
    for number in range(40):
        position = variant.start()
        while not position.is_over:
            moves = position.legal_moves
            position = position.play(moves[number * (len(position.history) + 1) % len(moves)])
        winners.add(position.winner)
    return len(winners) > 1


def _range(found: Census) -> str:
    if found.shortest == found.longest:
        return str(found.shortest)
    return f"{found.shortest} to {found.longest}"
