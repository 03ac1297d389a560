"""The solver: positions in, winners and winning moves out, within a budget.

A budget is a number of positions, counted as if nothing were remembered. So whether a position is solved
within a budget depends only on the two, and not on what was asked before. The cost of a position is the
number of entries that an empty transposition table gets while it is solved. It is known exactly if it is
within the budget. A used table often proves that without counting; otherwise the position is solved again
from an empty table, only for the count.

So the table may be emptied at any time. Nothing is ever guessed: unknown is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from arena.errors import PathLike, UserError, printable
from arena.game import Position, Variant, variant
from arena.solver.col import Col
from arena.solver.kayles import Kayles
from arena.solver.mirror import mirrors_of
from arena.solver.search import NO_LIMIT, Answer, Answering, IsOut, Search, Spent, Stopped
from arena.solver.shapes import Shapes, shapes_of
from arena.solver.snort import Snort

MOST_REMEMBERED = 3_000_000
"""When the table has more answers than this, it is emptied before the next position is solved."""

CELLS_BETWEEN_LOOKS = 1 << 15
"""`is_out` is asked each time this many cells of boards were looked at: several times a second."""

LARGE = 16
"""Positions with fewer moves than this are searched without looking for mirrors: that is as fast."""


class Engine(Protocol):
    """The engine of one rule: how to ask about a position, and how to answer the questions on the way."""

    def wins(self, mine: int, yours: int) -> Answering:
        """Return whether the mover wins, from what the mover and the opponent may claim."""

    def answering(self, question: Any) -> Answering:
        """Return the answer to a question of the engine's own making."""


ENGINES: dict[str, Callable[[Shapes], Engine]] = {"kayles": Kayles, "snort": Snort, "col": Col}


class Solution(NamedTuple):
    """What is known about a position: who wins, and where each move leads.

    A winner of None is unknown. A move in neither tuple of moves is proven to lose.
    """

    winner: int | None
    winning_moves: tuple[int, ...]
    unknown_moves: tuple[int, ...]
    positions: int  # looked at for this answer; fewer if much was remembered


class Known(NamedTuple):
    """Whether the mover wins (None if not found yet), and bounds of the cost of finding it."""

    wins: bool | None
    more_than: int
    at_most: int


NEVER = NO_LIMIT + 1
NOTHING = Known(None, -1, NEVER)


class Solver:
    """Solves positions of one variant, and remembers what it found."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._mirrors = mirrors_of(variant)
        self._engine: Engine = ENGINES[variant.rule](shapes_of(variant.board))
        self._search = self._new_search()
        self._known: dict[tuple[int, int], Known] = {}
        self.looked_at = 0  # positions, ever

    def winner(
        self, position: Position, budget: int | None = None, is_out: IsOut | None = None
    ) -> int | None:
        """Return the side that wins, or None if that cannot be found within the budget or before `is_out`."""
        wins = self.wins(*open_cells(position), budget, is_out)
        return None if wins is None else _side(position, wins)

    def solve(self, position: Position, budget: int | None = None, is_out: IsOut | None = None) -> Solution:
        """Return the winner and the winning moves; each move has the whole budget for itself.

        A winning move shows the winner, so this may know one where `winner` does not.
        """
        before = self.looked_at
        wins = self.wins(*open_cells(position), budget, is_out)
        # If the mover is known to lose, all moves lose.
        moves = {} if wins is False else dict(self.each_move(position, budget, is_out))
        winning = tuple(cell for cell, is_won in moves.items() if is_won)
        unknown = tuple(cell for cell, is_won in moves.items() if is_won is None)
        if wins is None and (winning or not unknown):
            wins = bool(winning)
        winner = None if wins is None else _side(position, wins)
        return Solution(winner, winning, unknown, self.looked_at - before)

    def each_move(
        self, position: Position, budget: int | None = None, is_out: IsOut | None = None
    ) -> Iterator[tuple[int, bool | None]]:
        """Yield each legal move and whether it wins, None if not known; each is solved when asked for."""
        mine, yours = open_cells(position)
        for cell in position.legal_moves:
            _, _, claimer_keeps, opponent_keeps = self._variant.claims[cell]
            answered = self.wins(yours & opponent_keeps, mine & claimer_keeps, budget, is_out)
            yield cell, None if answered is None else not answered

    def wins(
        self, mine: int, yours: int, budget: int | None = None, is_out: IsOut | None = None
    ) -> bool | None:
        """Return whether the mover wins, None if its cost is above the budget or `is_out` said so."""
        limit = NO_LIMIT if budget is None else budget
        known = self._known.get((mine, yours), NOTHING)
        if known.more_than < limit < known.at_most:
            if is_out is not None and is_out():
                return self._by_mirror(mine, yours)
            try:
                if known.wins is None:
                    known = self._find(mine, yours, limit, is_out)
                if known.more_than < limit < known.at_most:
                    known = self._count_anew(known, mine, yours, limit, is_out)
            except Stopped:
                return self._by_mirror(mine, yours)
            self._known[mine, yours] = known
        return known.wins if known.at_most <= limit else None

    def _by_mirror(self, mine: int, yours: int) -> bool | None:
        """Return False if symmetry shows, without a search, that the mover loses; None is unknown."""
        return False if mine.bit_count() >= LARGE and self._mirrors.show_loss(mine, yours) else None

    def _find(self, mine: int, yours: int, limit: int, is_out: IsOut | None) -> Known:
        """Solve a position with the help of the table."""
        if len(self._search.table) + len(self._known) > MOST_REMEMBERED:
            self._search = self._new_search()
            self._known.clear()
        try:
            answer = self._answer(self._search, mine, yours, limit, is_out)
        except Spent:
            return Known(None, limit, NEVER)
        return Known(answer.value, -1, answer.most)

    def _count_anew(self, known: Known, mine: int, yours: int, limit: int, is_out: IsOut | None) -> Known:
        """Solve a known position again from an empty table, to see whether its cost is within the limit."""
        fresh = self._new_search()
        try:
            self._answer(fresh, mine, yours, limit, is_out)
        except Spent:
            return Known(known.wins, limit, known.at_most)
        return Known(known.wins, len(fresh.table) - 1, len(fresh.table))

    def _answer(self, search: Search, mine: int, yours: int, limit: int, is_out: IsOut | None) -> Answer:
        before = len(search.table)
        try:
            return search.answer(self._root(mine, yours), limit, is_out)
        finally:
            self.looked_at += len(search.table) - before

    def _root(self, mine: int, yours: int) -> Answering:
        if not mine:
            return False
        if mine.bit_count() >= LARGE:
            decided = self._mirrors.decide(mine, yours)
            if decided is not None:
                return decided
        return (yield from self._engine.wins(mine, yours))

    def _new_search(self) -> Search:
        return Search(self._engine.answering, 1 + CELLS_BETWEEN_LOOKS // self._variant.board.size)


def solve(
    position: Position | Variant | str | PathLike,
    budget: int | None = None,
    is_out: IsOut | None = None,
) -> Solution:
    """Return the winner and the winning moves of a position, with nothing remembered.

    A variant, or its name, stands for its start; UserError if it is neither that nor a position.
    """
    start = position if isinstance(position, Position) else _start_of(position)
    return Solver(start.variant).solve(start, budget, is_out)


def _start_of(found: object) -> Position:
    if isinstance(found, Variant | str | PathLike):
        return variant(found).start()
    raise UserError(
        f"{printable(repr(found), 80)} is no position; "
        "solve takes a position, such as arena.variant('blockade-5x5').start(), or a variant"
    )


def open_cells(position: Position) -> tuple[int, int]:
    """Return what the mover and the opponent may claim."""
    first, second = position.open
    return (second, first) if position.to_move else (first, second)


def follow(variant: Variant, cells: Sequence[int], opening_plies: int = 0) -> list[tuple[int, int]]:
    """Return what the mover and the opponent may claim after the opening of a game, and after each move.

    IllegalMove if one is not allowed. It is what `open_cells` says of the positions, without making them.
    """
    mine, yours = open_cells(variant.start())
    found = [(mine, yours)]
    for cell in cells:
        if cell < 0 or not mine >> cell & 1:
            variant.replay(cells)  # which knows what to say
        _, _, claimer_keeps, opponent_keeps = variant.claims[cell]
        mine, yours = yours & opponent_keeps, mine & claimer_keeps
        found.append((mine, yours))
    return found[opening_plies:] or found[-1:]


def _side(position: Position, wins: bool) -> int:
    return position.to_move if wins else 1 - position.to_move
