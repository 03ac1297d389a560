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

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from arena.game import Position, Variant
from arena.solver import Solver
from arena.solver.cells import cells_of
from arena.solver.solver import open_cells
from arena.solver.thresholds import Thresholds

BUDGET = 2_000
"""The most positions for one grade, counted as if nothing were remembered."""


POSITION_COST = 10
"""What a position of a search costs, in patterns; on a large board it is more."""

MOST_OPEN = 400
"""A position is not searched if it has more open cells than this, counted for both sides."""

MOST_REMEMBERED = 500_000
"""When there are more positions than this, they are forgotten before the next one is judged."""

SMALL = 128
"""Cells of a board on which thresholds are found; on larger ones it takes long to see what is contested."""


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


class Verdict(NamedTuple):
    """What is known of a position: whether its mover wins, whether a move could lose that, and which keep it.

    None is unknown. The moves are those known to win; none may be known of a position that is won.
    """

    wins: bool | None
    can_lose: bool | None
    winning_moves: tuple[int, ...]


class Judged(NamedTuple):
    """Whether the mover of a position wins, None if unknown, and what the moves of a won one are worth."""

    wins: bool | None
    choice: Choice = NO_CHOICE


class Grader:
    """Grades the games of one variant, and remembers what it found."""

    def __init__(self, variant: Variant, budget: int = BUDGET) -> None:
        self._variant = variant
        self._solver = Solver(variant)
        self._budget = budget
        is_small = variant.rule == "snort" and variant.board.size <= SMALL
        self._thresholds = Thresholds(variant) if is_small else None
        self._known: dict[tuple[int, int], Judged] = {}

    def game(
        self, cells: Sequence[int], opening_plies: int, winner: int, is_asked: bool = False
    ) -> GameGrades:
        """Return the grades of a game that `winner` won; `is_asked` if the loser was asked, and forfeited."""
        position = self._variant.replay(cells[:opening_plies])
        positions = [open_cells(position)]
        for cell in cells[opening_plies:]:
            position = position.play(cell)
            positions.append(open_cells(position))
        judged = self._judge_all(positions)
        winners = [_winner(one, ply % 2) for ply, one in enumerate(judged, opening_plies)] + [winner]
        graded = judged if is_asked else judged[:-1]
        grades = [_grade(one, *winners[at : at + 2]) for at, one in enumerate(graded)]
        return GameGrades(opening_plies, tuple(grades), tuple(one.choice for one in graded), tuple(winners))

    def move(self, position: Position, cell: int | None) -> Grade:
        """Return the grade of one move of a game that goes on; None is a forfeit."""
        side = position.to_move
        before = self._judge(*open_cells(position))
        after = 1 - side if cell is None else _winner(self._judge(*open_cells(position.play(cell))), 1 - side)
        return Grade.UNKNOWN if after is None else _grade(before, _winner(before, side), after)

    def verdict(self, position: Position, most_cost: int) -> Verdict:
        """Return what is known of a position; moves are not tried any more once `cost` is above this."""
        mine, yours = open_cells(position)
        winning = self._thresholds.find_winning(mine, yours) if self._thresholds else None
        if winning is not None:
            return Verdict(winning != 0, winning not in (0, mine), tuple(cells_of(winning)))
        wins = self._wins(mine, yours)
        if not wins:
            return Verdict(wins, False, ())
        tried: dict[int, bool | None] = {}
        for cell, is_won in self._each_move(mine, yours):
            tried[cell] = is_won
            if self.cost > most_cost:
                break
        is_whole = len(tried) == mine.bit_count() and None not in tried.values()
        can_lose = True if False in tried.values() else False if is_whole else None
        return Verdict(True, can_lose, tuple(cell for cell, is_won in tried.items() if is_won))

    @property
    def cost(self) -> int:
        """What the work so far has cost, in patterns of `thresholds`."""
        patterns = self._thresholds.looked_at if self._thresholds else 0
        return patterns + POSITION_COST * self._solver.looked_at

    def winning_moves(self, position: Position) -> tuple[int, ...]:
        """Return the moves that are known to win."""
        return tuple(cell for cell, wins in self._each_move(*open_cells(position)) if wins)

    def _judge_all(self, positions: Sequence[tuple[int, int]]) -> list[Judged]:
        """Judge the positions of a game from its end; all before one that is unknown are unknown."""
        found: list[Judged] = []
        for mine, yours in reversed(positions):
            judged = self._judge(mine, yours)
            if judged.wins is None:
                break
            found.append(judged)
        return [Judged(None)] * (len(positions) - len(found)) + found[::-1]

    def _judge(self, mine: int, yours: int) -> Judged:
        """Judge a position; most are met again in other games."""
        if (mine, yours) not in self._known:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[mine, yours] = self._weigh(mine, yours)
        return self._known[mine, yours]

    def _weigh(self, mine: int, yours: int) -> Judged:
        lost = self._thresholds.count_losing(mine, yours) if self._thresholds else None
        if lost is not None:
            count = mine.bit_count()
            return Judged(True, Choice(lost > 0, 1 - lost / count)) if lost < count else Judged(False)
        wins = self._wins(mine, yours)
        return Judged(wins, self._try_moves(mine, yours)) if wins else Judged(wins)

    def _try_moves(self, mine: int, yours: int) -> Choice:
        """Solve the moves of a won position, until one loses and another is not known, or to the end."""
        lost = unknown = 0
        for _, wins in self._each_move(mine, yours):
            lost += wins is False
            unknown += wins is None
            if lost and unknown:
                break
        if unknown:
            return Choice(True if lost else None, None)
        return Choice(lost > 0, 1 - lost / mine.bit_count())

    def _each_move(self, mine: int, yours: int) -> Iterator[tuple[int, bool | None]]:
        """Yield each legal move and whether it wins, None if not known."""
        for cell in cells_of(mine):
            _, _, claimer_keeps, opponent_keeps = self._variant.claims[cell]
            answered = self._wins(yours & opponent_keeps, mine & claimer_keeps)
            yield cell, None if answered is None else not answered

    def _wins(self, mine: int, yours: int) -> bool | None:
        """Return whether the mover wins; None if that is not found within the budget."""
        wins = self._thresholds.wins(mine, yours) if self._thresholds else None
        if wins is None and mine.bit_count() + yours.bit_count() <= MOST_OPEN:
            wins = self._solver.wins(mine, yours, self._budget)
        return wins


def _winner(judged: Judged, mover: int) -> int | None:
    return None if judged.wins is None else mover if judged.wins else 1 - mover


def _grade(judged: Judged, winner: int | None, after: int | None) -> Grade:
    """Return the grade of a ply: by what could be done, and by who wins before and after it."""
    if judged.wins is None:
        return Grade.UNKNOWN
    if not judged.wins:
        return Grade.LOST_ANYWAY
    return Grade.THROWN_AWAY if after != winner else _WITHOUT_HARM[judged.choice.can_lose]


_WITHOUT_HARM = {True: Grade.KEPT, False: Grade.FORCED, None: Grade.UNKNOWN}
"""The grade of a move that keeps a win, by whether another move would have lost it."""
