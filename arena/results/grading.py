"""Grading a run: every move of every game against perfect play, after the games and once only.

Grades are kept for each game, together with its moves, so only games that are new or changed are graded. In a
read-only folder nothing is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path

from arena.errors import IllegalMove
from arena.log.archive import kept_variant
from arena.log.cache import GradeRow
from arena.log.door import wrong
from arena.log.grades import EVIDENCE_COLUMNS as EVIDENCE_COLUMNS
from arena.log.grades import Grades, Ungraded, open_grades
from arena.log.reading import Log
from arena.referee.endings import Ending
from arena.referee.game import Row
from arena.referee.row import cells_of
from arena.solver.grades import GameGrades, Grader

BATCH = 50
MOST_REMEMBERED = 1 << 16
"""How many games' grades are remembered in memory, each a few hundred bytes."""

TELL_SECONDS = 2.0


def read_evidence(folder: Path, bosses: Sequence[str] | None = None) -> list[Row]:
    """Return what each bot did on each opening: rows of `EVIDENCE_COLUMNS`; against some bots, or all."""
    with _open_graded(folder) as grades:
        return grades.evidence(bosses)


def read_throws(folder: Path) -> list[Row]:
    """Return how often each bot threw a win away at which ply: bot, variant, ply, thrown."""
    with _open_graded(folder) as grades:
        return grades.throws()


def thrown_away(folder: Path) -> dict[str, int]:
    """Return the ply at which the loser threw the game away for good, for each game where it did."""
    with _open_graded(folder) as grades:
        return grades.thrown_away()


def grade(folder: Path, tell: Callable[[int], None]) -> None:
    """Grade what is not graded yet; call `tell` with the number of games from time to time."""
    with _open_graded(folder, tell):
        pass


@contextmanager
def _open_graded(folder: Path, tell: Callable[[int], None] = lambda _: None) -> Iterator[Grades]:
    """Grade every game of the plan.

    Grades are saved every few seconds, so that a user who stops it loses little.
    """
    with closing(Log(folder)) as log, open_grades(log) as grades:
        graders = _Graders(log)
        done, kept_at = 0, time.monotonic()
        for games in grades.read_ungraded(BATCH):
            grades.write(map(graders.row, games))
            done += len(games)
            if time.monotonic() - kept_at > TELL_SECONDS:
                grades.commit()
                tell(done)
                kept_at = time.monotonic()
        grades.commit()
        yield grades


class _Graders:
    """A grader for each variant of a log, made when it is needed."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._graders: dict[tuple[str, str], Grader] = {}
        self._found = lru_cache(MOST_REMEMBERED)(self._grade_game)  # small boards see most games again

    def row(self, game: Ungraded) -> GradeRow:
        """Grade one game."""
        try:
            found = self._found(*game[1:])
        except (IllegalMove, ValueError):  # the latter for a number of thousands of digits
            what = f"game {game.game} has moves that the rules of {game.variant} do not allow"
            raise wrong(self._log.folder, f"{what}; `arena verify` looks at every game") from None
        return GradeRow(game.game, *game[2:], *found)

    def _grade_game(
        self, variant: str, definition: str, moves: str, opening_plies: int, ending: str, is_won_by_first: int
    ) -> Row:
        """Return the fields of a GradeRow that say what was found."""
        # A bot that did not start made no move that could be graded.
        is_asked = ending not in (Ending.NO_MOVES, Ending.NO_START)
        winner = 0 if is_won_by_first else 1
        found = self._grader(variant, definition).game(cells_of(moves), opening_plies, winner, is_asked)
        throws = " ".join(map(str, sorted(found.throws(0) + found.throws(1))))
        return *_of_side(found, 0), *_of_side(found, 1), found.start, found.stood, throws

    def _grader(self, name: str, version: str) -> Grader:
        if (name, version) not in self._graders:
            self._graders[name, version] = Grader(kept_variant(self._log, name, version))
        return self._graders[name, version]


def _of_side(found: GameGrades, side: int) -> Row:
    chances = found.chances(side)
    counts = found.count_kept(side), found.count_graded(side)
    return *counts, sum(chances), len(chances), len(found.throws(side))
