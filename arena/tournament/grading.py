"""Grading a run: every move of every game against perfect play, outside the playing and once only.

What was found is kept for each game in `cache.sqlite`, with the moves that it is about, so only games that
are new or not what they were are graded. In a folder that may only be read nothing is kept.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from arena.referee.game import Row
from arena.solver.grades import Grader
from arena.store import Log, readable_uri, told
from arena.tournament import archive
from arena.tournament.cache import CACHE

BATCH = 50
TELL_SECONDS = 2.0
GRADE_COLUMNS = ["variant", "bot", "side", "kept", "graded"]

_TABLE = """CREATE TABLE IF NOT EXISTS grades (game TEXT PRIMARY KEY, moves TEXT, ending TEXT,
    first_kept INTEGER, first_graded INTEGER, second_kept INTEGER, second_graded INTEGER,
    thrown_away INTEGER)"""
_SAME = "grades.game = g.game AND grades.moves = g.moves AND grades.ending = g.ending"
_UNGRADED = f"""SELECT g.game, g.variant, g.moves, g.opening_plies, g.ending, g.winner = g.first
    FROM log.plan JOIN log.games AS g USING (game) LEFT JOIN grades ON {_SAME} WHERE grades.game IS NULL"""
_COUNTS = f"""SELECT g.variant, plan.{{side}}, '{{side}}', SUM({{side}}_kept), SUM({{side}}_graded)
    FROM log.plan JOIN log.games AS g USING (game) JOIN grades ON {_SAME} GROUP BY 1, 2"""
_AGAINST = f"""SELECT plan.{{side}}, SUM({{side}}_kept), SUM({{side}}_graded)
    FROM log.plan JOIN log.games AS g USING (game) JOIN grades ON {_SAME}
    WHERE plan.{{other}} IN ({{bosses}}) AND g.variant IN ({{variants}}) GROUP BY 1"""
_THROWN = f"SELECT g.game, thrown_away FROM log.plan JOIN log.games AS g USING (game) JOIN grades ON {_SAME}"


def grade_counts(folder: Path) -> list[Row]:
    """Return how often each bot kept a win that it could have thrown away: rows of `GRADE_COLUMNS`."""
    with _graded(folder) as cache:
        return [
            tuple(row) for side in ("first", "second") for row in cache.execute(_COUNTS.format(side=side))
        ]


def grade_counts_against(folder: Path, bosses: Sequence[str], variants: Sequence[str]) -> list[Row]:
    """Return how often each bot kept such a win in games against some bots: bot, kept, graded."""
    marks = {"bosses": ", ".join("?" * len(bosses)), "variants": ", ".join("?" * len(variants))}
    with _graded(folder) as cache:
        return [
            tuple(row)
            for side, other in (("first", "second"), ("second", "first"))
            for row in cache.execute(_AGAINST.format(side=side, other=other, **marks), (*bosses, *variants))
        ]


def thrown_away(folder: Path) -> dict[str, int]:
    """Return the ply at which each game was thrown away for good by its loser, of those that were."""
    with _graded(folder) as cache:
        return {game: ply for game, ply in cache.execute(_THROWN) if ply is not None}


def grade(folder: Path, tell: Callable[[int], None]) -> None:
    """Grade what is not graded yet; now and then tell how many games that were."""
    with _graded(folder, tell):
        pass


@contextmanager
def _graded(folder: Path, tell: Callable[[int], None] = lambda _: None) -> Iterator[sqlite3.Connection]:
    """Have every game of the plan graded, and the log attached.

    What is found is kept every few seconds, so that whoever cannot wait loses little.
    """
    with told(folder), closing(_opened(folder)) as cache:
        found, graders = cache.execute(_UNGRADED), _Graders(folder)
        done, kept_at = 0, time.monotonic()
        while rows := found.fetchmany(BATCH):
            graded = [graders.row(*row) for row in rows]
            cache.executemany("INSERT OR REPLACE INTO grades VALUES (?, ?, ?, ?, ?, ?, ?, ?)", graded)
            done += len(rows)
            if time.monotonic() - kept_at > TELL_SECONDS:
                cache.commit()
                tell(done)
                kept_at = time.monotonic()
        cache.commit()
        yield cache


def _opened(folder: Path) -> sqlite3.Connection:
    """Return the cache, or one in memory where none can be written, with the log beside it."""
    cache = _made((folder / CACHE).absolute().as_uri()) or _made("file::memory:")
    assert cache is not None
    cache.execute("ATTACH ? AS log", (readable_uri(folder),))
    return cache


def _made(uri: str) -> sqlite3.Connection | None:
    """Return a cache with its table, or None: the folder may only be read, or the file is damaged."""
    with contextlib.suppress(sqlite3.DatabaseError):
        cache = sqlite3.connect(uri, uri=True)
        try:
            cache.execute(_TABLE)
            return cache
        except sqlite3.DatabaseError:
            cache.close()
    return None


class _Graders:
    """A grader for each variant of a folder, made when it is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._graders: dict[str, Grader] = {}

    def row(self, game: str, variant: str, moves: str, opening_plies: int, ending: str, is_first: int) -> Row:
        """Grade one game; return it as a row of the table. Who does not start makes no move to be graded."""
        is_forfeit = ending not in ("no-moves", "no-start")
        found = self._grader(variant).game(archive.cells_of(moves), opening_plies, is_forfeit)
        counts = (found.kept(0), found.graded(0), found.kept(1), found.graded(1))
        return game, moves, ending, *counts, found.thrown_away(1 if is_first else 0)

    def _grader(self, name: str) -> Grader:
        if name not in self._graders:
            with closing(Log(self._folder)) as log:
                version = dict(archive.read_field(log).variants)[name]
                self._graders[name] = Grader(archive.kept_variant(log, name, version))
        return self._graders[name]
