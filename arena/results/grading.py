"""Grading a run: every move of every game against perfect play, after the games and once only.

Grades are kept for each game, together with its moves, so only games that are new or changed are graded. In a
read-only folder nothing is kept.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path

from arena.log.archive import kept_variant
from arena.log.cache import state_of
from arena.log.door import wrong
from arena.log.grades import EVIDENCE_COLUMNS as EVIDENCE_COLUMNS
from arena.log.grades import Grades, open_grades
from arena.log.reading import Log
from arena.referee.game import Row
from arena.referee.row import GameRow
from arena.results.graders import (
    SMALL,
    Batch,
    Elsewhere,
    Graded,
    IllegalGame,
    WrongGrade,
    grade_batches,
)

FEW = 15_000
"""So many games on small boards are graded in a second or two, hardly longer than tables take to write."""

BATCH, LARGE_BATCH = 300, 1
"""How many games are graded in one go, on small boards and on others, whose games may take seconds."""

TELL_SECONDS = 0.5

Tell = Callable[[int, int], None]


def read_evidence(folder: Path, bosses: Sequence[str] | None = None, is_whole: bool = True) -> list[Row]:
    """Return what each bot did on each opening: rows of `EVIDENCE_COLUMNS`; against some bots, or all.

    Games are graded first, unless it is enough to know what is graded already.
    """
    with _open_graded(folder, is_whole) as grades:
        return grades.evidence(bosses)


def read_tables(folder: Path, is_whole: bool = True) -> tuple[list[Row], list[Row]]:
    """Return what `read_evidence` does, and how often each bot threw a win away at which ply.

    Rows of the latter are bot, variant, ply and thrown. To read both takes little longer than one of them.
    """
    alike: Counter[tuple[str, str, str, str]] = Counter()
    with _open_graded(folder, is_whole) as grades:
        evidence = grades.evidence()
        alike.update((variant, *bots, plies) for _, variant, *bots, _, plies in grades.throws())
    sums: Counter[tuple[str, str, int]] = Counter()
    for (variant, *bots, plies), games in alike.items():
        for ply in map(int, plies.split()):
            sums[bots[(ply - 1) % 2], variant, ply] += games
    return evidence, [(*key, sums[key]) for key in sorted(sums)]


def thrown_away(folder: Path, is_whole: bool = True) -> dict[str, int]:
    """Return the ply at which the loser threw the game away for good, for each game where it did."""
    last: dict[str, int] = {}
    with _open_graded(folder, is_whole) as grades:
        for game, *_, loser, throws in grades.throws():
            ply = _last_throw(throws, loser)
            if ply is not None:
                last[game] = ply
    return last


@lru_cache(1 << 12)
def _last_throw(throws: str, loser: int) -> int | None:
    """Return the last ply at which the loser threw a win away; None if it never did."""
    return max((ply for ply in map(int, throws.split()) if (ply - 1) % 2 == loser), default=None)


def list_games(folder: Path, is_whole: bool = True) -> Iterator[tuple[GameRow, int | None]]:
    """Yield the games of the plan in its order, each with the ply at which it was thrown away, if any."""
    with _open_graded(folder, is_whole) as grades:
        for row, throws in grades.games():
            yield row, _last_throw(throws, int(row.winner == row.first)) if throws else None


def count_graded(folder: Path) -> int:
    """Return how many games of the plan are graded."""
    with _open_graded(folder, is_whole=False) as grades:
        return grades.count()


def is_soon_graded(folder: Path) -> bool:
    """Whether grading takes but a moment: few games, on small boards."""
    with closing(Log(folder)) as log, open_grades(log) as grades:
        few = log.played - _count(folder, grades) <= FEW
        boards = (kept_variant(log, name, version).board for name, version in log.field().variants)
        return few and all(board.size <= SMALL for board in boards)


def grade(folder: Path, tell: Tell, workers: int = 0, elsewhere: Elsewhere | None = None) -> None:
    """Grade what is not graded yet; call `tell` now and then with how many are done, and of how many.

    What takes long is done by so many processes, or elsewhere if that is given.
    """
    with _open_graded(folder, True, tell, workers, elsewhere):
        pass


def _tell_nobody(done: int, of: int) -> None:
    pass


@contextmanager
def _open_graded(
    folder: Path,
    is_whole: bool = True,
    tell: Tell = _tell_nobody,
    workers: int = 0,
    elsewhere: Elsewhere | None = None,
) -> Iterator[Grades]:
    """Open the grades, and grade what is missing if the whole is wanted."""
    with closing(Log(folder)) as log, open_grades(log) as grades:
        if is_whole and _whole.get(folder) != (state_of(folder), grades.rows):
            done, of = _count(folder, grades), log.played
            try:
                if done < of:
                    _grade(log, grades, lambda more: tell(min(done + more, of), of), workers, elsewhere)
            finally:
                grades.commit()  # also what was graded before Ctrl-C
            _whole[folder] = state_of(folder), grades.rows
        yield grades


def _count(folder: Path, grades: Grades) -> int:
    """Return how many games are graded; counted once while neither the log nor the grades have changed."""
    state = state_of(folder), grades.rows
    if _counted.get(folder, ("",))[0] != state:
        _counted[folder] = state, grades.count()
    return _counted[folder][1]


_counted: dict[Path, tuple[tuple[str, int], int]] = {}
_whole: dict[Path, tuple[str, int]] = {}
"""Folders whose games this process has seen graded: what the log was then, and how many rows of grades.

To count games with their grades takes as long as a table.
"""


def _grade(
    log: Log, grades: Grades, tell: Callable[[int], None], workers: int, elsewhere: Elsewhere | None
) -> None:
    """Grade what is not graded yet; if somebody was caught at a wrong grade, all is graded without them."""
    while True:
        try:
            return _grade_missing(log, grades, tell, lambda left: grade_batches(left, workers, elsewhere))
        except WrongGrade:
            grades.forget()


def _grade_missing(
    log: Log,
    grades: Grades,
    tell: Callable[[int], None],
    grade_all: Callable[[Iterator[Batch]], Generator[Graded]],
) -> None:
    """Grade what is not graded yet; what is graded is saved all the time, so that little can be lost."""
    done, kept_at = 0, time.monotonic()
    try:
        # Closed in any case: a query that is not at its end would lock the cache.
        with closing(_batches(log, grades)) as batches, closing(grade_all(batches)) as graded:
            for games, rows in graded:
                grades.write(rows)
                done += games
                if time.monotonic() - kept_at > TELL_SECONDS:
                    grades.commit()
                    tell(done)
                    kept_at = time.monotonic()
    except IllegalGame as error:
        what = f"game {error.args[0]} has moves that the rules do not allow"
        raise wrong(log.folder, f"{what}; `arena verify` looks at every game") from None


def _batches(log: Log, grades: Grades) -> Generator[Batch]:
    """Yield what is to be graded, small boards first; those that begin alike share most positions."""
    played = ((kept_variant(log, name, version), name) for name, version in log.field().variants)
    for variant, name in sorted(played, key=lambda found: found[0].board.size):
        most = BATCH if variant.board.size <= SMALL else LARGE_BATCH
        for games in grades.read_ungraded(name, most):
            yield Batch(variant, games)
