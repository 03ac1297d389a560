"""The grades of a log's games: what was found about their moves, kept in the cache beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.key import sign
from arena.log.cache import GradeRow, open_cache
from arena.log.door import explain_errors, readable_uri
from arena.log.reading import Log
from arena.referee.game import Row

EVIDENCE_COLUMNS = "variant opening bot side games wins kept graded chance weighed".split()
EVIDENCE_COLUMNS += "won_starts held lost_starts taken gifts thrown unjudged".split()
"""What each bot did on each opening as first and as second; `unjudged` are wins before judging begins."""

_GRADED = """JOIN grades ON grades.definition = played.definition AND grades.moves = g.moves
    AND grades.opening_plies = g.opening_plies AND grades.ending = g.ending
    AND grades.is_won_by_first = (g.winner = g.first)"""
_PLANNED = "log.plan JOIN log.games AS g USING (game) JOIN played ON played.variant = g.variant"
_UNGRADED = f"""SELECT g.game, COUNT(*), played.definition, g.moves, g.opening_plies, g.ending,
    g.winner = g.first FROM {_PLANNED} LEFT {_GRADED} WHERE grades.moves IS NULL AND g.variant = ?
    GROUP BY 4, 5, 6, 7"""
_EVIDENCE = f"""SELECT g.variant, g.opening, plan.{{side}}, '{{side}}', COUNT(*), SUM(g.winner = g.{{side}}),
    SUM({{side}}_kept), SUM({{side}}_graded), SUM({{side}}_chance), SUM({{side}}_weighed),
    SUM(start IS {{own}}), SUM(start IS {{own}} AND g.winner = g.{{side}}),
    SUM(start IS 1 - {{own}}), SUM(start IS 1 - {{own}} AND g.winner = g.{{side}}),
    SUM({{other}}_thrown), SUM({{side}}_thrown), SUM(start IS NULL AND stood = {{own}})
    FROM {_PLANNED} {_GRADED} {{where}} GROUP BY 1, 2, 3"""
_THROWS = f"""SELECT g.game, g.variant, plan.first, plan.second, is_won_by_first, throws
    FROM {_PLANNED} {_GRADED} WHERE throws <> ''"""
_FOREIGN = f"DELETE FROM grades WHERE NOT is_ours(signature, {', '.join(GradeRow._fields)})"
_SIDES = ({"side": "first", "other": "second", "own": 0}, {"side": "second", "other": "first", "own": 1})


class Ungraded(NamedTuple):
    """Games of the plan that went alike and whose moves nobody has looked at yet."""

    game: str  # one of them
    games: int
    definition: str
    moves: str
    opening_plies: int
    ending: str
    is_won_by_first: int


class Grades:
    """The grades of the games of a folder's plan."""

    def __init__(self, folder: Path, cache: sqlite3.Connection) -> None:
        self._folder = folder
        self._cache = cache

    def read_ungraded(self, variant: str, most: int) -> Iterator[list[Ungraded]]:
        """Yield the games of a variant that are not graded yet, at most `most` at a time, by their moves."""
        with explain_errors(self._folder), closing(self._cache.execute(_UNGRADED, (variant,))) as found:
            while rows := found.fetchmany(most):
                yield [Ungraded(*row) for row in rows]

    def count(self) -> int:
        """Return how many games of the plan are graded."""
        return int(self._rows(f"SELECT COUNT(*) FROM {_PLANNED} {_GRADED}")[0][0])

    def write(self, rows: Iterable[GradeRow]) -> None:
        """Keep grades; `commit` writes them to the disk."""
        marks = ", ".join("?" * (len(GradeRow._fields) + 1))
        signed = ((*row, sign(*row)) for row in rows)
        with explain_errors(self._folder):
            self._cache.executemany(f"INSERT OR REPLACE INTO grades VALUES ({marks})", signed)

    def commit(self) -> None:
        """Write what was kept to the disk."""
        with explain_errors(self._folder):
            self._cache.commit()

    def evidence(self, bosses: Sequence[str] | None = None) -> list[Row]:
        """Return what each bot did on each opening, against some bots or all: rows of `EVIDENCE_COLUMNS`."""
        where = "" if bosses is None else f"WHERE plan.{{other}} IN ({', '.join('?' * len(bosses))})"
        queries = (_EVIDENCE.format(where=where.format(**side), **side) for side in _SIDES)
        return [row for query in queries for row in self._rows(query, *bosses or ())]

    def throws(self) -> list[Row]:
        """Return game, variant, both bots, side of the loser and plies of all throws, where there are any."""
        return self._rows(_THROWS)

    def _rows(self, query: str, *values: object) -> list[Row]:
        with explain_errors(self._folder):
            return self._cache.execute(query, values).fetchall()


@contextmanager
def open_grades(log: Log) -> Iterator[Grades]:
    """Open the grades of a log whose games can be counted; grades that somebody else wrote are removed."""
    log.require_sound()
    with open_cache(log.folder, _FOREIGN) as cache:
        with explain_errors(log.folder):
            cache.execute("ATTACH ? AS log", (readable_uri(log.folder),))
            cache.execute("CREATE TEMP TABLE played (variant TEXT PRIMARY KEY, definition TEXT)")
            cache.executemany("INSERT INTO played VALUES (?, ?)", log.field().variants)
            cache.commit()
        yield Grades(log.folder, cache)
