"""The grades of a log's games: what was found about their moves, kept in the cache beside it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.key import sign
from arena.log.cache import GradeRow, open_cache
from arena.log.door import explain_errors, readable_uri
from arena.log.reading import Log
from arena.referee.game import Row

GRADE_COLUMNS = ["variant", "bot", "side", "kept", "graded"]

_GRADED = """JOIN grades ON grades.game = g.game AND grades.moves = g.moves AND grades.ending = g.ending
    AND grades.opening_plies = g.opening_plies AND grades.definition = played.definition
    AND grades.is_won_by_first = (g.winner = g.first)"""
_PLANNED = "log.plan JOIN log.games AS g USING (game) JOIN played ON played.variant = g.variant"
_UNGRADED = f"""SELECT g.game, g.variant, played.definition, g.moves, g.opening_plies, g.ending,
    g.winner = g.first FROM {_PLANNED} LEFT {_GRADED} WHERE grades.game IS NULL"""
_COUNTS = f"""SELECT g.variant, plan.first, plan.second, SUM(first_kept), SUM(first_graded),
    SUM(second_kept), SUM(second_graded) FROM {_PLANNED} {_GRADED} GROUP BY 1, 2, 3"""
_AGAINST = f"""SELECT plan.{{side}}, SUM({{side}}_kept), SUM({{side}}_graded) FROM {_PLANNED} {_GRADED}
    WHERE plan.{{other}} IN ({{bosses}}) AND g.variant IN ({{variants}}) GROUP BY 1"""
_THROWN = f"SELECT g.game, thrown_away FROM {_PLANNED} {_GRADED} WHERE thrown_away IS NOT NULL"
_FOREIGN = f"DELETE FROM grades WHERE NOT is_ours(signature, {', '.join(GradeRow._fields)})"
_SIDES = (("first", "second"), ("second", "first"))


class Ungraded(NamedTuple):
    """A game of the plan whose moves nobody has looked at yet."""

    game: str
    variant: str
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

    def read_ungraded(self, most: int) -> Iterator[list[Ungraded]]:
        """Yield the games that are not graded yet, at most `most` at a time."""
        with explain_errors(self._folder):
            found = self._cache.execute(_UNGRADED)
            while rows := found.fetchmany(most):
                yield [Ungraded(*row) for row in rows]

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

    def counts(self) -> list[Row]:
        """Return how often each bot kept a win that it could have thrown away: rows of `GRADE_COLUMNS`."""
        sums: Counter[tuple[str, str, str, str]] = Counter()
        for variant, first, second, *counts in self._rows(_COUNTS):
            for bot, side, kept, graded in ((first, "first", *counts[:2]), (second, "second", *counts[2:])):
                sums[variant, bot, side, "kept"] += kept
                sums[variant, bot, side, "graded"] += graded
        return [(*key, sums[*key, "kept"], sums[*key, "graded"]) for key in sorted({key[:3] for key in sums})]

    def counts_against(self, bosses: Sequence[str], variants: Sequence[str]) -> list[Row]:
        """Return how often each bot kept such a win in games against some bots: bot, kept, graded."""
        marks = {"bosses": ", ".join("?" * len(bosses)), "variants": ", ".join("?" * len(variants))}
        queries = [_AGAINST.format(side=side, other=other, **marks) for side, other in _SIDES]
        return [row for query in queries for row in self._rows(query, *bosses, *variants)]

    def thrown_away(self) -> dict[str, int]:
        """Return the ply at which the loser threw the game away for good, for each game where it did."""
        return dict(self._rows(_THROWN))

    def _rows(self, query: str, *values: object) -> list[Row]:
        with explain_errors(self._folder):
            return self._cache.execute(query, values).fetchall()


@contextmanager
def open_grades(log: Log) -> Iterator[Grades]:
    """Open the grades of a log whose games can be counted; grades that somebody else wrote are removed."""
    log.require_sound()
    with open_cache(log.folder) as cache:
        with explain_errors(log.folder):
            cache.execute(_FOREIGN)
            cache.commit()
            cache.execute("ATTACH ? AS log", (readable_uri(log.folder),))
            cache.execute("CREATE TEMP TABLE played (variant TEXT PRIMARY KEY, definition TEXT)")
            cache.executemany("INSERT INTO played VALUES (?, ?)", log.field().variants)
            cache.commit()
        yield Grades(log.folder, cache)
