"""The store: `results/<name>/`, of which `games.sqlite` is the log and the only truth.

One writer, which holds a lock for as long as it lives; any number of readers, also during a run. Everything
that was committed is there after a crash (write-ahead log, synchronous FULL). The folder stands alone: plan,
variants, bots with their sources and the config are in it, so it can be sent to a colleague whole.

Tables: `games` is what was played, one row for each id, never changed; `plan` the ids that count now, with
their openings; `openings` those that were ever planned, frozen; `variants`, `bots`, `files`, `runs` what the
games were played with; `voids` what was our own fault; `replaced` rows of `games` that were played again.
`rounds` has the pairings of formats that play by results, frozen. `facts` holds single values: the plan's
fingerprint, the field that it was made from, and who was there when a bracket was drawn.

Row ids of `games` follow the order of arrival and the index of ids is apart from the rows: with the rows in
the order of their hashed ids every insert would touch another page of a large file. `plan` has no index at
all: it is written and read from beginning to end. Measured for a million games, 7 and 1 µs a row.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.errors import StoreError
from arena.referee.game import GAME_COLUMNS, Row

LOG = "games.sqlite"
LOCK = "lock.sqlite"
ROOM = 1 << 20
"""Bytes; with less than this left a disk counts as full when it reports an error."""
SCHEMA = 2
_APPLICATION = 0x6172656E  # "aren"

COUNT_COLUMNS = (
    "variant first second winner ending isolation games first_moves second_moves first_cpu_seconds "
    "second_cpu_seconds"
).split()

RESULT_COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]
"""What ratings are computed from: how often `first` won; `mover` is the side to move after the opening."""

_GAME_TABLE = """
    variant TEXT NOT NULL, opening INTEGER NOT NULL, repeat INTEGER NOT NULL,
    first TEXT NOT NULL, second TEXT NOT NULL, first_version TEXT NOT NULL, second_version TEXT NOT NULL,
    winner TEXT NOT NULL, ending TEXT NOT NULL, detail TEXT NOT NULL, moves TEXT NOT NULL,
    opening_plies INTEGER NOT NULL, plies INTEGER NOT NULL, isolation TEXT NOT NULL,
    first_cpu_seconds REAL NOT NULL, second_cpu_seconds REAL NOT NULL,
    first_wall_seconds REAL NOT NULL, second_wall_seconds REAL NOT NULL"""

_ROUNDS = """CREATE TABLE IF NOT EXISTS rounds (series TEXT NOT NULL, round INTEGER NOT NULL,
    one TEXT NOT NULL, one_version TEXT NOT NULL, other TEXT NOT NULL, other_version TEXT NOT NULL,
    start INTEGER NOT NULL, count INTEGER NOT NULL)"""

_TABLES = f"""
CREATE TABLE games (game TEXT NOT NULL PRIMARY KEY, {_GAME_TABLE});
CREATE TABLE replaced (game TEXT NOT NULL, {_GAME_TABLE}, replaced_at TEXT NOT NULL, why TEXT NOT NULL);
CREATE TABLE plan (game TEXT NOT NULL, variant TEXT NOT NULL, opening INTEGER NOT NULL,
    repeat INTEGER NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, cells TEXT NOT NULL);
CREATE TABLE openings (variant TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL,
    opening INTEGER NOT NULL, cells TEXT NOT NULL, is_won INTEGER,
    PRIMARY KEY (version, variant, seed, opening));
CREATE TABLE variants (name TEXT NOT NULL, version TEXT NOT NULL, definition TEXT NOT NULL,
    PRIMARY KEY (name, version));
CREATE TABLE bots (name TEXT NOT NULL, version TEXT NOT NULL, hash TEXT NOT NULL, main TEXT NOT NULL,
    command TEXT NOT NULL, source, is_repeatable INTEGER, PRIMARY KEY (name, hash));
CREATE TABLE files (hash TEXT NOT NULL, path TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (hash, path));
CREATE TABLE runs (run INTEGER PRIMARY KEY, started_at TEXT NOT NULL, ended_at TEXT, config TEXT NOT NULL,
    limits TEXT NOT NULL, arena TEXT NOT NULL, python TEXT NOT NULL, numpy TEXT NOT NULL,
    machine TEXT NOT NULL, isolation TEXT NOT NULL, walls TEXT NOT NULL, executor TEXT NOT NULL,
    workers INTEGER NOT NULL);
CREATE TABLE voids (game TEXT NOT NULL, variant TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL,
    reason TEXT NOT NULL, happened_at TEXT NOT NULL, run INTEGER NOT NULL);
CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
{_ROUNDS};
PRAGMA user_version = {SCHEMA};
PRAGMA application_id = {_APPLICATION};
"""

_PLAN = "INSERT INTO plan VALUES (?, ?, ?, ?, ?, ?, ?)"
_FACT = "INSERT OR REPLACE INTO facts VALUES (?, ?)"
_INSERT = f"INSERT INTO games VALUES ({', '.join('?' * len(GAME_COLUMNS))})"
_GAMES = ", ".join(f"g.{column}" for column in GAME_COLUMNS)
_COUNTS = """
SELECT g.variant, {first}, {second}, {winner}, ending, isolation, COUNT(*),
    SUM((plies + 1) / 2 - (opening_plies + 1) / 2), SUM(plies / 2 - opening_plies / 2),
    SUM(first_cpu_seconds), SUM(second_cpu_seconds)
FROM {planned} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6"""
_RESULTS = (
    "SELECT g.variant, g.opening, {first}, {second}, opening_plies % 2, winner = g.first, 1 FROM {planned}"
)
_PLANNED = "plan JOIN games AS g USING (game)"
_NAMES = {"first": "g.first", "second": "g.second", "winner": "winner"}
# As the plan calls them, which tells old versions of edited bots apart.
_ENTERED_NAMES = {
    "first": "plan.first",
    "second": "plan.second",
    "winner": "CASE winner WHEN g.first THEN plan.first ELSE plan.second END",
}


class Log:
    """A run folder, to be read; also while a run writes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with told(folder):
            self._database = _opened(folder)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return the rows of a query."""
        with told(self.folder):
            return self._database.execute(query, values).fetchall()

    def each(self, query: str, *values: object) -> Iterator[Row]:
        """Yield the rows of a query that may be long."""
        with told(self.folder):
            yield from self._database.execute(query, values)

    def number(self, query: str, *values: object) -> int:
        """Return the one number that a query asks for."""
        return int(self.rows(query, *values)[0][0])

    def fact(self, name: str) -> str:
        """Return a single value that was noted, or nothing."""
        found = self.rows("SELECT value FROM facts WHERE name = ?", name)
        return str(found[0][0]) if found else ""

    @property
    def planned(self) -> int:
        """How many games the plan has."""
        return self.number("SELECT COUNT(*) FROM plan")

    @property
    def played(self) -> int:
        """How many games of the plan are in the log."""
        return self.number(f"SELECT COUNT(*) FROM {_PLANNED}")

    @property
    def trusted(self) -> int:
        """How many games of the plan were not played sandboxed."""
        return self.number(
            "SELECT COUNT(*) FROM games WHERE isolation <> 'sandboxed' AND game IN (SELECT game FROM plan)"
        )

    @property
    def voids(self) -> int:
        """How many games of the plan were spoilt by our own fault and never played since."""
        return self.number(
            "SELECT COUNT(DISTINCT game) FROM voids WHERE game IN (SELECT game FROM plan) "
            "AND game NOT IN (SELECT game FROM games)"
        )

    def counts(self, is_entered: bool = False) -> list[Row]:
        """Return the games of the plan, counted: rows of `COUNT_COLUMNS`.

        With `is_entered` bots have the names that the plan has for them: `name@version` for old versions.
        """
        return self.rows(self._of_plan(_COUNTS, is_entered))

    def results(self, is_entered: bool = False, without_forfeits: bool = False) -> Iterator[Row]:
        """Yield the games of the plan as ratings need them: rows of `RESULT_COLUMNS`."""
        played_out = " WHERE ending = 'no-moves'" if without_forfeits else ""
        return self.each(self._of_plan(_RESULTS, is_entered) + played_out)

    def _of_plan(self, query: str, is_entered: bool) -> str:
        if is_entered:
            return query.format(planned=_PLANNED, **_ENTERED_NAMES)
        # Without the join it takes half the time, and mostly every game in the log is in the plan.
        is_all = self.played == self.number("SELECT COUNT(*) FROM games")
        return query.format(planned="games AS g" if is_all else _PLANNED, **_NAMES)

    def games(self, bot: str = "", variant: str = "", forfeits: bool = False) -> Iterator[Row]:
        """Yield the games of the plan in its order, as rows of `GAME_COLUMNS`."""
        conditions, values = ["1"], []
        if bot:
            conditions.append("(g.first = ? OR g.second = ?)")
            values += [bot, bot]
        if variant:
            conditions.append("g.variant = ?")
            values.append(variant)
        if forfeits:
            conditions.append("g.ending <> 'no-moves'")
        if forfeits and bot:
            conditions.append("g.winner <> ?")  # its own forfeits, not those of its opponents
            values.append(bot)
        where = " AND ".join(conditions)
        return self.each(f"SELECT {_GAMES} FROM {_PLANNED} WHERE {where} ORDER BY plan.rowid", *values)

    def games_by_id(self) -> Iterator[Row]:
        """Yield the games of the plan in the order of their ids, as rows of `GAME_COLUMNS`."""
        return self.each(f"SELECT {_GAMES} FROM {_PLANNED} ORDER BY g.game")

    def found(self, game: str) -> list[Row]:
        """Return the games, planned or not, whose id begins so, as rows of `GAME_COLUMNS`; two at most."""
        return self.rows(
            f"SELECT {_GAMES} FROM games AS g WHERE g.game >= ? AND g.game < ? LIMIT 2", game, game + "g"
        )


class Store(Log):
    """A run folder, to be written: made if it is not there, and locked against other writers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with told(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(folder)
            try:
                self._database = _made(folder)
            except BaseException:
                self._lock.close()
                raise

    def close(self) -> None:
        """Bring everything into one file and let go of the folder."""
        with told(self.folder):
            self._database.close()
            self._lock.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Have all that is written within it committed, or none of it."""
        with told(self.folder):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def write(self, games: Iterable[Row]) -> None:
        """Commit finished games, as rows of `GAME_COLUMNS`."""
        with self.transaction() as database:
            database.executemany(_INSERT, games)

    def write_plan(self, fingerprint: str, field: str, games: Iterable[Sequence[object]]) -> None:
        """Make these the games that count, and keep what they come from."""
        is_written = self.fact("plan") == fingerprint
        with self.transaction() as database:
            if not is_written:
                database.execute("DELETE FROM plan")
                database.executemany(_PLAN, games)
            facts = [("plan", fingerprint), ("field", field)]
            database.executemany(_FACT, facts)

    def write_round(
        self, pairings: Iterable[Sequence[object]], fingerprint: str, games: Iterable[Sequence[object]]
    ) -> None:
        """Freeze the pairings of one more round, and add its games to those that count."""
        with self.transaction() as database:
            database.executemany("INSERT INTO rounds VALUES (?, ?, ?, ?, ?, ?, ?, ?)", pairings)
            database.executemany(_PLAN, games)
            database.execute(_FACT, ("plan", fingerprint))

    def write_fact(self, name: str, value: str) -> None:
        """Note a single value."""
        with self.transaction() as database:
            database.execute(_FACT, (name, value))

    def missing(self, after: int, most: int, is_fresh: bool = False) -> list[Row]:
        """Return games of the plan that are not in the log: their number in the plan, and their columns.

        Where none of them was played before, the log need not be asked, which would cost as much as planning.
        """
        absent = "1" if is_fresh else "NOT EXISTS (SELECT 1 FROM games WHERE games.game = plan.game)"
        query = f"SELECT rowid, * FROM plan WHERE rowid > ? AND {absent} ORDER BY rowid LIMIT ?"
        return self.rows(query, after, most)

    def set_aside(self, condition: str, word: str, why: str) -> int:
        """Move games of the plan that meet a condition on `:word` to `replaced`; return how many."""
        chosen = f"game IN (SELECT g.game FROM {_PLANNED} WHERE {condition})"
        values = {"word": word, "why": why, "now": now()}
        with self.transaction() as database:
            columns = ", ".join(GAME_COLUMNS)
            moved = f"INSERT INTO replaced SELECT {columns}, :now, :why FROM games WHERE {chosen}"
            database.execute(moved, values)
            return database.execute(f"DELETE FROM games WHERE {chosen}", values).rowcount

    def write_void(self, game: str, variant: str, first: str, second: str, reason: str, run: int) -> None:
        """Write down a game that was spoilt by our own fault."""
        with self.transaction() as database:
            values = (game, variant, first, second, reason, now(), run)
            database.execute("INSERT INTO voids VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def write_replays(self, replays: Iterable[Sequence[object]], run: int) -> None:
        """Write down games that were played again: game, variant, first, second, bot and reason of each."""
        with self.transaction() as database:
            columns = "game, variant, first, second, bot, reason, at, run"
            database.execute(f"CREATE TABLE IF NOT EXISTS replays ({columns})")
            rows = [(*replay, now(), run) for replay in replays]
            database.executemany("INSERT INTO replays VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Add rows to one of the small tables; those that are there already stay as they are."""
        with self.transaction() as database:
            for row in rows:
                marks = ", ".join("?" * len(row))
                database.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)


def now() -> str:
    """Return the time as the log writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@contextlib.contextmanager
def told(folder: Path) -> Iterator[None]:
    """Turn what the file system or SQLite says about a folder into a sentence for the user."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # a game written twice would be our own fault
    except sqlite3.DatabaseError as error:
        raise StoreError(_sentence(folder, str(error))) from None
    except OSError as error:
        raise StoreError(f"{error.filename or folder}: {error.strerror}") from None


def _sentence(folder: Path, error: str) -> str:
    file = folder / LOG
    if "disk I/O" in error and _is_full(folder):
        error = "full"
    for words, sentence in {
        "full": "the disk is full; every game written so far is kept, and the next run goes on from there",
        "readonly": "cannot be written; nothing was changed",
        "unable to open": "cannot be opened or made: is the folder there, and may you write in it?",
        "malformed": "is damaged, perhaps cut off; move it away or bring back a copy. Nothing was changed",
        "not a database": "is no log of arena's, or is damaged; move it away. Nothing was changed",
        "disk I/O": "cannot be read or written: the disk reports an error. Nothing was changed",
    }.items():
        if words in error:
            return f"{file}: {sentence}"
    return f"{file}: {error}"


def _is_full(folder: Path) -> bool:
    """Whether there is hardly any room left: SQLite does not always say so by that name."""
    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


def _locked(folder: Path) -> sqlite3.Connection:
    """Return a lock that lasts as long as this process; SQLite's own works on every system."""
    lock = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0)
    try:
        lock.execute("CREATE TABLE IF NOT EXISTS holder (pid INTEGER)")
        lock.execute("DELETE FROM holder")
        lock.execute("INSERT INTO holder VALUES (?)", (os.getpid(),))
        lock.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        with contextlib.closing(lock):
            raise _refused(folder, lock, str(error)) from None
    return lock


def _refused(folder: Path, lock: sqlite3.Connection, error: str) -> Exception:
    """Return what to raise when a folder cannot be locked."""
    if "not a database" in error or "malformed" in error:
        return StoreError(f"{folder / LOCK}: is damaged; remove it, it holds nothing that matters")
    if "locked" not in error:
        return sqlite3.OperationalError(error)
    holder = [pid for (pid,) in lock.execute("SELECT pid FROM holder")]
    who = f" (process {holder[0]})" if holder else ""
    return StoreError(
        f"{folder}: another run{who} is writing here; wait for it, or give this one another name"
    )


def _made(folder: Path) -> sqlite3.Connection:
    """Return the log for writing, with all its tables."""
    file = folder / LOG
    database = sqlite3.connect(file, isolation_level=None)
    try:
        if _is_new(database):
            database.executescript(f"BEGIN; {_TABLES} COMMIT;")
        _check(database, file)
        database.execute(_ROUNDS)  # logs of format 2 that were begun before there were rounds
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA cache_size = -49152")  # 48 MiB hold the index of a million games
        database.execute("PRAGMA wal_autocheckpoint = 20000")
    except BaseException:
        database.close()
        raise
    return database


def _is_new(database: sqlite3.Connection) -> bool:
    """Whether there is nothing in it: no file before, or one whose making was cut short."""
    (tables,) = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    return not tables and not application


def _opened(folder: Path) -> sqlite3.Connection:
    """Return the log for reading; also from a folder in which nothing can be written."""
    file = folder / LOG
    if not file.is_file():
        raise StoreError(f"{folder}: there is no {LOG} in it, so it is no run folder")
    database = sqlite3.connect(readable_uri(folder), uri=True, isolation_level=None)
    try:
        _check(database, file)
    except BaseException:
        database.close()
        raise
    return database


def readable_uri(folder: Path) -> str:
    """Return by which name SQLite can read the log of a folder, also one in which nothing can be written."""
    file = folder / LOG
    uri = file.absolute().as_uri()
    with contextlib.closing(sqlite3.connect(f"{uri}?mode=ro", uri=True)) as database:
        if _is_readable(database) or _has_more_beside(file):
            return f"{uri}?mode=ro"
    # A log that nobody writes and nobody may write: SQLite reads it if told that it stays as it is.
    return f"{uri}?immutable=1"


def _has_more_beside(file: Path) -> bool:
    """Whether there are games that are still in the write-ahead log only."""
    wal = file.with_name(f"{file.name}-wal")
    return wal.exists() and wal.stat().st_size > 0


def _is_readable(database: sqlite3.Connection) -> bool:
    try:
        database.execute("SELECT COUNT(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        return False
    return True


def _check(database: sqlite3.Connection, file: Path) -> None:
    """StoreError if this is not a whole log that we can read."""
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (schema,) = database.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION:
        raise StoreError(f"{file}: is no log of arena's; move it away. Nothing was changed")
    if schema != SCHEMA:
        age = "a newer" if schema > SCHEMA else "an older"
        raise StoreError(
            f"{file}: was written by {age} arena (format {schema}, and this one reads {SCHEMA}); "
            "use that one, or give this run another name. Nothing was changed"
        )
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    (size,) = database.execute("PRAGMA page_size").fetchone()
    if file.stat().st_size < pages * size and not _has_more_beside(file):
        raise StoreError(_sentence(file.parent, "malformed"))
