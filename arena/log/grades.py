"""The grades of a log's games: what was found about their moves, kept in the cache beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from arena.key import sign
from arena.log.cache import GradeRow, borrow_kept, copy_neighbour, open_cache, state_of_cache
from arena.log.door import DATABASE_ERRORS, explain_errors, readable_uri
from arena.log.reading import Log
from arena.referee.game import Row
from arena.referee.row import GAME_COLUMNS, GameRow

EVIDENCE_COLUMNS = "variant opening bot side games wins kept graded chance weighed".split()
EVIDENCE_COLUMNS += "won_starts held lost_starts taken gifts thrown unjudged".split()
"""What each bot did on each opening as first and as second; `unjudged` are wins before judging begins."""

_AT_ONCE = 1_000
"""Games that are read in one go: as long as a reader is at it, nobody can write to the cache."""

_GRADED = """JOIN grades ON grades.definition = played.definition AND grades.moves = g.moves
    AND grades.opening_plies = g.opening_plies AND grades.ending = g.ending
    AND grades.is_won_by_first = (g.winner = g.first)"""
_PLANNED = "log.plan JOIN log.games AS g USING (game) JOIN played ON played.variant = g.variant"
_UNGRADED = f"""SELECT g.game, COUNT(*), played.definition, g.moves, g.opening_plies, g.ending,
    g.winner = g.first FROM {_PLANNED} LEFT {_GRADED} WHERE grades.moves IS NULL AND g.variant = ?
    GROUP BY 4, 5, 6, 7"""
# To find the grades of every game takes longer than any question about them, so it is done once.
_FOUND = f"""CREATE TEMP TABLE IF NOT EXISTS found AS SELECT g.game, g.variant, g.opening,
    plan.first AS first, plan.second AS second, {", ".join(f"grades.{name}" for name in GradeRow._fields[4:])}
    FROM {_PLANNED} {_GRADED}"""
_GAMES = f"""SELECT {", ".join(f"g.{name}" for name in GAME_COLUMNS)}, throws, plan.rowid
    FROM {_PLANNED} LEFT {_GRADED} WHERE plan.rowid > ? ORDER BY plan.rowid LIMIT {_AT_ONCE}"""
_EVIDENCE = """SELECT variant, opening, {side}, '{side}', COUNT(*), SUM(is_won_by_first <> {own}),
    SUM({side}_kept), SUM({side}_graded), SUM({side}_chance), SUM({side}_weighed),
    SUM(start IS {own}), SUM(start IS {own} AND is_won_by_first <> {own}),
    SUM(start IS 1 - {own}), SUM(start IS 1 - {own} AND is_won_by_first <> {own}),
    SUM({other}_thrown), SUM({side}_thrown), SUM(start IS NULL AND stood = {own})
    FROM found {where} GROUP BY 1, 2, 3"""
_THROWS = "SELECT game, variant, first, second, is_won_by_first, throws FROM found WHERE throws <> ''"
_FOREIGN = f"DELETE FROM grades WHERE NOT is_ours(signature, {', '.join(GradeRow._fields)})"
# Signatures are looked at last, because that takes longer than all the rest.
_BORROWED = f"""INSERT INTO main.grades SELECT t.* FROM theirs.grades AS t LEFT JOIN main.grades AS own
    ON {" AND ".join(f"own.{name} = t.{name}" for name in GradeRow._fields[:5])} WHERE CASE
    WHEN own.moves IS NULL THEN is_ours(t.signature, {", ".join(f"t.{name}" for name in GradeRow._fields)})
    ELSE 0 END"""
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
        self.state = ""  # of the file, after it was closed

    def read_ungraded(self, variant: str, most: int) -> Iterator[list[Ungraded]]:
        """Yield the games of a variant that are not graded yet, at most `most` at a time, by their moves."""
        with explain_errors(self._folder), closing(self._cache.execute(_UNGRADED, (variant,))) as found:
            while rows := found.fetchmany(most):
                yield [Ungraded(*row) for row in rows]

    @property
    def rows(self) -> int:
        """How many rows there are: grades of games that went differently, planned or not."""
        return int(self._rows("SELECT COUNT(*) FROM grades")[0][0])

    def count(self) -> int:
        """Return how many games of the plan are graded."""
        return int(self._rows(f"SELECT COUNT(*) FROM {_PLANNED} {_GRADED}")[0][0])

    def write(self, rows: Iterable[GradeRow]) -> None:
        """Keep grades; `commit` writes them to the disk. What is asked for is then found anew."""
        self._rows("DROP TABLE IF EXISTS temp.found")
        marks = ", ".join("?" * (len(GradeRow._fields) + 1))
        signed = ((*row, sign(*row)) for row in rows)
        with explain_errors(self._folder):
            self._cache.executemany(f"INSERT OR REPLACE INTO grades VALUES ({marks})", signed)

    def forget(self) -> None:
        """Forget all grades, because some of them may be wrong."""
        self._rows("DROP TABLE IF EXISTS temp.found")
        self._rows("DELETE FROM grades")

    def commit(self) -> None:
        """Write what was kept to the disk."""
        with explain_errors(self._folder):
            self._cache.commit()

    def evidence(self, bosses: Sequence[str] | None = None) -> list[Row]:
        """Return what each bot did on each opening, against some bots or all: rows of `EVIDENCE_COLUMNS`."""
        self._rows(_FOUND)
        where = "" if bosses is None else f"WHERE {{other}} IN ({', '.join('?' * len(bosses))})"
        queries = (_EVIDENCE.format(where=where.format(**side), **side) for side in _SIDES)
        return [row for query in queries for row in self._rows(query, *bosses or ())]

    def throws(self) -> Iterator[Row]:
        """Yield game, variant, both bots, side of the loser and plies of all throws, where there are any."""
        self._rows(_FOUND)
        with explain_errors(self._folder), closing(self._cache.execute(_THROWS)) as found:
            yield from found

    def games(self) -> Iterator[tuple[GameRow, str | None]]:
        """Yield the games of the plan in its order, with the plies of all throws if they are graded."""
        last = -1
        while some := self._rows(_GAMES, last):
            for *row, throws, last in some:  # noqa: B007 - it is where the next ones begin
                yield GameRow._make(row), throws

    def _rows(self, query: str, *values: object) -> list[Row]:
        with explain_errors(self._folder):
            return self._cache.execute(query, values).fetchall()


@contextmanager
def write_grades(folder: Path) -> Iterator[Grades]:
    """Open the grades of a folder to add some, while somebody else plays; then they have a `state`."""
    with open_cache(folder, _FOREIGN) as cache:
        grades = Grades(folder, cache)
        yield grades
    grades.state = state_of_cache(folder)


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


def borrow_neighbour(folder: Path) -> bool:
    """Add what the cache beside a log has to one that is kept apart; False if it cannot be had just now."""
    copy = copy_neighbour(folder)
    if copy is None:
        return False
    with open_cache(folder, _FOREIGN) as cache, suppress(*DATABASE_ERRORS):  # damaged: it is only a cache
        cache.execute("ATTACH ? AS theirs", (f"{copy.absolute().as_uri()}?mode=ro",))
        with cache:
            cache.execute(_BORROWED)
            borrow_kept(folder, cache)
        return True
    return False
