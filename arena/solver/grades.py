"""Grades: every move against perfect play, and what each side did with what it had. Pure.

    kept          the mover was winning, could have thrown it away, and did not
    thrown away   the mover was winning, and no longer is (a blunder); also a forfeit in a won position
    forced        the mover was winning, and every legal move kept the win
    lost anyway   the mover was losing, so no move made a difference
    unknown       not solved within the budget

A game is graded from its end, where positions are small. Once a position is unknown, earlier ones are not
tried, so that a large board costs no more than one search that fails.

Who wins with perfect play changes only where somebody throws it away. So a side has won exactly if it stood
winning where judging begins, plus what the other threw away, less what it threw away itself: the ledger.
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


class Choice(NamedTuple):
    """What the moves of a won position are worth: can one lose, and which share of them keeps the win?

    None is unknown.
    """

    can_lose: bool | None
    keeping: float | None


NO_CHOICE = Choice(False, None)
"""That of a position which is lost, or not solved."""


class GameGrades(NamedTuple):
    """The grades of one game, ply by ply after its opening; that of a forfeit comes last.

    `winners` are the sides that win with perfect play: before each of these plies, at the end, and last the
    winner of the game itself. None is unknown, and nothing is unknown after something known.
    """

    opening_plies: int
    grades: tuple[Grade, ...]
    choices: tuple[Choice, ...]
    winners: tuple[int | None, ...]

    def count_kept(self, side: int) -> int:
        """Return how often a side kept a win that it could have thrown away."""
        return self.grades[self._start(side) :: 2].count(Grade.KEPT)

    def count_graded(self, side: int) -> int:
        """Return how often a side could have thrown a win away."""
        return sum(choice.can_lose is True for choice in self._choices(side))

    def chances(self, side: int) -> list[float]:
        """Return the chance to keep the win by a random move, each time that a side could throw it away.

        It is left out where not all moves are known.
        """
        return [c.keeping for c in self._choices(side) if c.can_lose and c.keeping is not None]

    def throws(self, side: int) -> list[int]:
        """Return the plies at which a side threw a win away; a forfeit is at the ply that it did not play."""
        pairs = zip(self.winners, self.winners[1:], strict=False)
        changes = enumerate(pairs, self.opening_plies + 1)
        plies = [ply for ply, (before, after) in changes if before == side != after]
        return [ply if (ply - 1) % 2 == side else ply + 1 for ply in plies]

    @property
    def start(self) -> int | None:
        """The side that wins after the opening; None if unknown."""
        return self.winners[0]

    @property
    def stood(self) -> int:
        """The side that wins where judging begins; the start, if everything is known."""
        return next(winner for winner in self.winners if winner is not None)

    def _choices(self, side: int) -> tuple[Choice, ...]:
        return self.choices[self._start(side) :: 2]

    def _start(self, side: int) -> int:
        return (side - self.opening_plies) % 2


class Grader:
    """Grades the games of one variant, and remembers what it found."""

    def __init__(self, variant: Variant, budget: int = BUDGET) -> None:
        self._variant = variant
        self._solver = Solver(variant)
        self._budget = budget
        self._choices: dict[tuple[int, int, int], Choice] = {}

    def game(
        self, cells: Sequence[int], opening_plies: int, winner: int, is_asked: bool = False
    ) -> GameGrades:
        """Return the grades of a game that `winner` won; `is_asked` if the loser was asked, and forfeited."""
        positions = [self._variant.replay(cells[:opening_plies])]
        for cell in cells[opening_plies:]:
            positions.append(positions[-1].play(cell))
        winners = (*self._winners(positions), winner)
        graded = positions if is_asked else positions[:-1]
        found = [self._grade(position, *winners[at : at + 2]) for at, position in enumerate(graded)]
        grades, choices = zip(*found, strict=True) if found else ((), ())
        return GameGrades(opening_plies, grades, choices, winners)

    def move(self, position: Position, cell: int | None) -> Grade:
        """Return the grade of one move of a game that goes on; None is a forfeit."""
        after = 1 - position.to_move if cell is None else self._winner(position.play(cell))
        return Grade.UNKNOWN if after is None else self._grade(position, self._winner(position), after)[0]

    def winning_moves(self, position: Position) -> tuple[int, ...]:
        """Return the moves that are known to win."""
        return self._solver.solve(position, self._budget).winning_moves

    def _winners(self, positions: Sequence[Position]) -> list[int | None]:
        """Return who wins each position, None before the last that is unknown."""
        found: list[int | None] = []
        for position in reversed(positions):
            winner = self._winner(position)
            if winner is None:
                break
            found.append(winner)
        return [None] * (len(positions) - len(found)) + found[::-1]

    def _grade(self, position: Position, winner: int | None, after: int | None) -> tuple[Grade, Choice]:
        """Return the grade of a ply by who wins before and after it, and what else could have been done."""
        if winner is None:
            return Grade.UNKNOWN, NO_CHOICE
        if winner != position.to_move:
            return Grade.LOST_ANYWAY, NO_CHOICE
        choice = self._choice(position)
        if after != winner:
            return Grade.THROWN_AWAY, choice
        kinds = {True: Grade.KEPT, False: Grade.FORCED, None: Grade.UNKNOWN}
        return kinds[choice.can_lose], choice

    def _choice(self, position: Position) -> Choice:
        if position.key not in self._choices:
            self._choices[position.key] = self._weigh(position)
        return self._choices[position.key]

    def _weigh(self, position: Position) -> Choice:
        """Solve the moves of a won position, until one loses and another is not known, or to the end."""
        lost = unknown = 0
        for _, wins in self._solver.each_move(position, self._budget):
            lost += wins is False
            unknown += wins is None
            if lost and unknown:
                break
        if unknown:
            return Choice(True if lost else None, None)
        return Choice(lost > 0, 1 - lost / len(position.legal_moves))

    def _winner(self, position: Position) -> int | None:
        mine, yours = position.open
        if mine.bit_count() + yours.bit_count() > MOST_OPEN:
            return None
        return self._solver.winner(position, self._budget)
