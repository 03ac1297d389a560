"""Grades: every move against perfect play. Pure.

    kept          the mover was winning, could have thrown it away, and did not
    thrown away   the mover was winning, and no longer is (a blunder); also a forfeit in a won position
    forced        the mover was winning, and every legal move kept the win
    lost anyway   the mover was losing, so no move made a difference
    unknown       not solved within the budget

A game is graded from its end, where positions are small. Once a position is unknown, earlier ones are not
tried, so that a large board costs no more than one search that fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from arena.game import Position, Variant
from arena.solver import Solver

BUDGET = 2_000
"""The most positions for one grade, counted as if nothing were remembered."""


MOST_OPEN = 400
"""A position is not tried if it has more open cells than this, counted for both sides."""


class Grade(StrEnum):
    """What a move was worth."""

    KEPT = "kept"
    THROWN_AWAY = "thrown away"
    FORCED = "forced"
    LOST_ANYWAY = "lost anyway"
    UNKNOWN = "unknown"


class GameGrades(NamedTuple):
    """The grades of one game, ply by ply after its opening; that of a forfeit comes last."""

    opening_plies: int
    grades: tuple[Grade, ...]

    def of_side(self, side: int) -> list[Grade]:
        """Return the grades of the moves of one side."""
        return list(self.grades[(side - self.opening_plies) % 2 :: 2])

    def count_kept(self, side: int) -> int:
        """Return how often a side kept a win that it could have thrown away."""
        return self.of_side(side).count(Grade.KEPT)

    def count_graded(self, side: int) -> int:
        """Return how often a side could have thrown a win away."""
        return self.count_kept(side) + self.of_side(side).count(Grade.THROWN_AWAY)

    def thrown_away(self, loser: int) -> int | None:
        """Return the ply of the loser's last blunder, which lost the game for good; None if there is none."""
        for number in range(len(self.grades) - 1, -1, -1):
            ply = self.opening_plies + number + 1
            if (ply - 1) % 2 == loser and self.grades[number] is Grade.THROWN_AWAY:
                return ply
        return None


class Grader:
    """Grades the games of one variant, and remembers what it found."""

    def __init__(self, variant: Variant, budget: int = BUDGET) -> None:
        self._variant = variant
        self._solver = Solver(variant)
        self._budget = budget
        self._losing: dict[tuple[int, int, int], bool | None] = {}

    def game(self, cells: Sequence[int], opening_plies: int, is_forfeit: bool) -> GameGrades:
        """Return the grades of a game's moves, and of the forfeit that ended it."""
        position = self._variant.replay(cells[:opening_plies])
        asked: list[tuple[Position, int | None]] = []
        for cell in cells[opening_plies:]:
            asked.append((position, cell))
            position = position.play(cell)
        asked += [(position, None)] if is_forfeit else []
        grades: list[Grade] = []
        for before, move in reversed(asked):
            is_lost_track = bool(grades) and grades[-1] is Grade.UNKNOWN
            grades.append(Grade.UNKNOWN if is_lost_track else self.grade(before, move))
        return GameGrades(opening_plies, tuple(reversed(grades)))

    def grade(self, position: Position, move: int | None) -> Grade:
        """Return the grade of a move, or of a forfeit (None), in a position."""
        winner = self._winner(position)
        if winner is None:
            return Grade.UNKNOWN
        if winner != position.to_move:
            return Grade.LOST_ANYWAY
        after = None if move is None else self._winner(position.play(move))
        if after == 1 - position.to_move:
            return Grade.THROWN_AWAY
        can_lose = self._can_lose(position)
        if can_lose is None or (move is not None and after is None):
            return Grade.UNKNOWN
        if not can_lose:
            return Grade.FORCED
        return Grade.THROWN_AWAY if move is None else Grade.KEPT

    def winning_moves(self, position: Position) -> tuple[int, ...]:
        """Return the moves that are known to win."""
        return self._solver.solve(position, self._budget).winning_moves

    def _can_lose(self, position: Position) -> bool | None:
        """Whether a won position has a move that loses; one is enough, and is mostly found soon."""
        key = position.key
        if key not in self._losing:
            self._losing[key] = self._looked_for(position)
        return self._losing[key]

    def _looked_for(self, position: Position) -> bool | None:
        is_known = True
        for cell in position.legal_moves:
            winner = self._winner(position.play(cell))
            if winner == 1 - position.to_move:
                return True
            is_known = is_known and winner is not None
        return False if is_known else None

    def _winner(self, position: Position) -> int | None:
        mine, yours = position.open
        if mine.bit_count() + yours.bit_count() > MOST_OPEN:
            return None
        return self._solver.winner(position, self._budget)
