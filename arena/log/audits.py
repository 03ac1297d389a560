"""Games that were played again to see whether they come out the same: which are due, and what was found.

Due are the sandboxed games that were played on a machine of this kind since the last audit; on another
machine numpy may compute differently, which is nobody's fault. The fact `audited` is the last row that is no
longer due. It is noted before the first game of a run, so that games of a killed run are due in the next one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.log.door import wrong
from arena.log.reading import Log, PlannedGame
from arena.log.sound import fault_of
from arena.log.writing import Store, now
from arena.referee.endings import Ending
from arena.referee.game import Row
from arena.referee.row import GAME_COLUMNS, GameRow

FACT = "audited"
MOST_SHOWN = 100

_ROW = ", ".join(f"g.{column}" for column in GAME_COLUMNS)
_DUE = "rowid > ? AND isolation = 'sandboxed'"


class Audited(NamedTuple):
    """A game that was played again for the audit: how it came out, and who differed at which ply."""

    game: str
    moves: str
    ending: str
    bot: str  # empty if it came out the same, or if nothing is proven
    ply: int


class Otherwise(NamedTuple):
    """The evidence against a bot: a game of the log, and how it came out when it was played again."""

    logged: GameRow
    again: Audited


def begin(store: Store, run: int) -> int:
    """Return the row after which games are due, and note it; on another machine no earlier game is due."""
    query = """SELECT DISTINCT python, numpy, machine FROM (
        SELECT * FROM runs WHERE run <= ? ORDER BY run DESC LIMIT 2)"""
    is_another = len(store.rows(query, run)) > 1
    since = _last_row(store) if is_another else _since(store)
    store.write_fact(FACT, str(since))
    return since


def end(store: Store) -> None:
    """Note that no game is due any more; also after a merge, which brings games from elsewhere."""
    store.write_fact(FACT, str(_last_row(store)))


def are_due(log: Log) -> bool:
    """Whether there are games to be audited."""
    return bool(log.number(f"SELECT EXISTS (SELECT 1 FROM games WHERE {_DUE})", _since(log)))


def _since(log: Log) -> int:
    noted, last = log.fact(FACT), _last_row(log)
    is_number = noted.isascii() and noted.isdigit() and len(noted) < 19
    # Row numbers of games that were set aside are used again. In a log older than audits no game is due.
    return min(int(noted), last) if is_number else last


def _last_row(log: Log) -> int:
    return log.number("SELECT MAX(rowid) FROM games")


def games_due(log: Log, since: int) -> dict[str, int]:
    """Return how many games of each bot are due."""
    query = f"""SELECT bot, SUM(games) FROM (
        SELECT first AS bot, COUNT(*) AS games FROM games WHERE {_DUE} GROUP BY 1
        UNION ALL SELECT second, COUNT(*) FROM games WHERE {_DUE} GROUP BY 1) GROUP BY 1"""
    return dict(log.rows(query, since, since))


def draw(log: Log, since: int, start: str) -> Iterator[GameRow]:
    """Yield the games that are due in the order of their ids, beginning with some id."""
    for half in ("game >= ?", "game < ?"):
        query = f"SELECT {_ROW} FROM games AS g WHERE {_DUE} AND {half} ORDER BY game"
        yield from map(GameRow._make, log.each(query, since, start))


def planned_among(log: Log, games: Iterable[str]) -> dict[str, PlannedGame]:
    """Return the games of the plan that have some ids, by id."""
    query = "SELECT * FROM plan WHERE game IN (SELECT value FROM json_each(?))"
    return {row[0]: PlannedGame(*row) for row in log.rows(query, json.dumps(list(games)))}


def write(store: Store, audits: Iterable[Audited], run: int) -> None:
    """Write down games that were played again."""
    rows = [(*audited, now(), run) for audited in audits]
    with store.transaction() as database:
        database.executemany("INSERT INTO audits VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def evidence(log: Log) -> dict[str, Otherwise]:
    """Return what the audits found against each bot; the last finding, since games may have been replayed."""
    if not log.has("audits"):
        return {}
    query = f"""SELECT {_ROW}, a.moves, a.ending, a.bot, a.ply FROM audits AS a JOIN games AS g USING (game)
        WHERE a.bot IN (g.first, g.second) ORDER BY a.rowid DESC LIMIT {MOST_SHOWN}"""
    found = [_otherwise(log, row) for row in log.rows(query)]
    return {case.again.bot: case for case in reversed(found)}


def _otherwise(log: Log, row: Row) -> Otherwise:
    """Return a row as evidence; StoreError if arena would not have written it."""
    logged = GameRow(*row[: len(GAME_COLUMNS)])
    moves, ending, bot, ply = row[len(GAME_COLUMNS) :]
    is_written = isinstance(moves, str) and ending in {kind.value for kind in Ending} and type(ply) is int
    again = logged._replace(moves=moves, ending=ending)
    if not is_written or ply < 1 or fault_of(logged) or fault_of(again):
        raise wrong(log.folder, "its audits are not as arena writes them")
    return Otherwise(logged, Audited(logged.game, moves, ending, bot, ply))
