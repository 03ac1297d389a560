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

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple, cast

from arena.game import Position, Variant
from arena.solver import Solver
from arena.solver.cells import cells_of
from arena.solver.solver import follow, open_cells
from arena.solver.thresholds import Thresholds

BUDGET = 2_000
"""The most positions for one grade, counted as if nothing were remembered."""


POSITION_COST = 10
"""What a position of a search costs, in patterns; on a large board it is more."""

MOST_OPEN = 400
"""A position is not searched if it has more open cells than this, counted for both sides."""

MOST_REMEMBERED = 500_000
"""When there are more positions than this, they are forgotten before the next one is judged."""

SMALL, WHOLE = 128, 25
"""Cells of a board on which thresholds are found; on larger ones it takes long to see what is contested.

Those of boards with up to `WHOLE` cells are found once for all graders of a process.
"""

MOST_BOARDS = 16
"""So many of them are remembered."""


Pair = tuple[int, int]
"""What the mover and the opponent of a position may claim."""


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


class OfSide(NamedTuple):
    """What one side did in a game: see the methods of `GameGrades`."""

    kept: int
    graded: int
    chance: float  # the sum of what a random move would have kept
    weighed: int  # the number of graded moves in that sum
    thrown: int


class Tally(NamedTuple):
    """The sums of a game's grades: of both sides, who won at its start, where judging begins, and throws."""

    sides: tuple[OfSide, OfSide]
    start: int | None
    stood: int
    throws: tuple[int, ...]  # the plies, ascending


def sum_up(judged: Sequence[Judged], opening_plies: int, winner: int, is_asked: bool) -> Tally:
    """Return the sums of a game's grades in one pass over its positions.

    It says what `GameGrades` says, and is for hundreds of thousands of games.
    """
    winners = [_winner(one, ply & 1) for ply, one in enumerate(judged, opening_plies)]
    winners.append(winner)
    asked = len(judged) if is_asked else len(judged) - 1
    kept, graded, weighed, thrown, chance, throws = [0, 0], [0, 0], [0, 0], [0, 0], [0.0, 0.0], []
    for number, (wins, choice) in enumerate(judged):
        if wins is None:
            continue
        ply, before, after = opening_plies + number, winners[number], winners[number + 1]
        if before != after:
            assert before is not None
            thrown[before] += 1
            throws.append(ply + 1 if ply & 1 == before else ply + 2)
        if choice.can_lose and number < asked:
            side = ply & 1
            graded[side] += 1
            kept[side] += before == after
            if choice.keeping is not None:
                chance[side] += choice.keeping
                weighed[side] += 1
    sides = tuple(map(OfSide, kept, graded, chance, weighed, thrown))
    stood = next(one for one in winners if one is not None)
    return Tally(cast("tuple[OfSide, OfSide]", sides), winners[0], stood, tuple(sorted(throws)))


class Grader:
    """Grades the games of one variant, and remembers what it found."""

    def __init__(self, variant: Variant, budget: int = BUDGET) -> None:
        self._variant = variant
        self._solver = Solver(variant)
        self._budget = budget
        self._thresholds = _find_thresholds(variant)
        self._looked_at_before = self._thresholds.looked_at if self._thresholds else 0
        self._known: dict[Pair, Judged] = {}

    def game(
        self, cells: Sequence[int], opening_plies: int, winner: int, is_asked: bool = False
    ) -> GameGrades:
        """Return the grades of a game that `winner` won; `is_asked` if the loser was asked, and forfeited."""
        return self.path(follow(self._variant, cells, opening_plies), opening_plies, winner, is_asked)

    def path(
        self, positions: Sequence[Pair], opening_plies: int, winner: int, is_asked: bool = False
    ) -> GameGrades:
        """Return the grades of a game from what could be claimed after its opening and after each move."""
        judged = self._judge_all(positions)
        winners = [_winner(one, ply % 2) for ply, one in enumerate(judged, opening_plies)] + [winner]
        graded = judged if is_asked else judged[:-1]
        grades = [_grade(one, *winners[at : at + 2]) for at, one in enumerate(graded)]
        return GameGrades(opening_plies, tuple(grades), tuple(one.choice for one in graded), tuple(winners))

    def learn(self, positions: Iterable[Pair]) -> None:
        """Judge positions together where that can be, which is sooner done than one by one."""
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        new = [pair for pair in set(positions) if pair not in self._known]
        for (mine, yours), winning in zip(new, self.find_winning(new), strict=True):
            if winning is not None:
                self._known[mine, yours] = _judge_by((mine ^ winning).bit_count(), mine.bit_count())

    def find_winning(self, positions: Sequence[Pair]) -> list[int | None]:
        """Return the claims that win in each position, looked at together; None where that cannot be."""
        from arena.solver.many import LARGEST, find_all_winning

        if self._thresholds is None or self._variant.board.size > LARGEST:
            return [None] * len(positions)
        return find_all_winning(self._thresholds, positions)

    def move(self, position: Position, cell: int | None) -> Grade:
        """Return the grade of one move of a game that goes on; None is a forfeit."""
        side = position.to_move
        before = self._judge(*open_cells(position))
        after = 1 - side if cell is None else _winner(self._judge(*open_cells(position.play(cell))), 1 - side)
        return Grade.UNKNOWN if after is None else _grade(before, _winner(before, side), after)

    def verdict(self, mine: int, yours: int, most_cost: int) -> Verdict:
        """Return what is known of a position; moves are not tried any more once `cost` is above this."""
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
        """What the work so far has cost, in patterns of `thresholds`; what others have found cost nothing."""
        patterns = self._thresholds.looked_at - self._looked_at_before if self._thresholds else 0
        return patterns + POSITION_COST * self._solver.looked_at

    def winning_moves(self, position: Position) -> tuple[int, ...]:
        """Return the moves that are known to win."""
        return tuple(cell for cell, wins in self._each_move(*open_cells(position)) if wins)

    def tally(
        self, positions: Sequence[Pair], opening_plies: int, winner: int, is_asked: bool = False
    ) -> Tally:
        """Return the sums of what `path` returns, in less than half of the time."""
        judged = [one for one in map(self._known.get, positions) if one is not None and one.wins is not None]
        if len(judged) < len(positions):
            judged = self._judge_all(positions)
        return sum_up(judged, opening_plies, winner, is_asked)

    def _judge_all(self, positions: Sequence[Pair]) -> list[Judged]:
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
            return _judge_by(lost, mine.bit_count())
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


def _find_thresholds(variant: Variant) -> Thresholds | None:
    if variant.rule != "snort" or variant.board.size > SMALL:
        return None
    return _share_thresholds(variant) if variant.board.size <= WHOLE else Thresholds(variant)


@lru_cache(MOST_BOARDS)
def _share_thresholds(variant: Variant) -> Thresholds:
    return Thresholds(variant)


@cache
def _judge_by(lost: int, of: int) -> Judged:
    """Return what a position is worth by how many of its moves lose; one object for all that are alike."""
    return Judged(True, Choice(lost > 0, 1 - lost / of)) if lost < of else Judged(False)


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
