"""The only writer of a run folder, which is made if it is missing, and locked against other writers.

Everything that was committed survives a crash (write-ahead log, synchronous FULL). An existing folder is
checked as a whole before the first write: nothing is added to a log that lies. A log of an older version gets
the tables that it lacks, and keeps its format of ids.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import secrets
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from sys import intern
from typing import NamedTuple

import arena
from arena.log.cache import is_vouched, keep, remember, state_of, vouch
from arena.log.door import LOG, check_files, check_own_files, explain_errors, open_for_writing, wrong
from arena.log.inventory import CLOSED, CONTEST, OPEN, SITTINGS
from arena.log.lock import take_lock
from arena.log.reading import PLANNED, Log, PlannedGame
from arena.log.schema import SCHEMA, UPGRADE, empty_log
from arena.referee.game import ID_FORMAT, Limits, Row
from arena.referee.row import GAME_COLUMNS
from arena.solver.openings import DRAWING

_FACT = "INSERT OR REPLACE INTO facts VALUES (?, ?)"
_GAME = f"INSERT INTO games VALUES ({', '.join('?' * len(GAME_COLUMNS))})"
_WORDS = {"ending": "ending = :word", "bot": ":word IN (g.first, g.second)", "trusted": "isolation <> :word"}


UNKNOWN = 0
"""The number of no machine."""


class Setting(NamedTuple):
    """How a run is carried out, for the record."""

    config: str
    limits: Limits
    isolation: str
    walls: str
    executor: str
    workers: int


class Store(Log):
    """A run folder, to be written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._is_sound = False
        with explain_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = take_lock(folder)
            try:
                self._is_sound = _make_if_missing(folder)  # what we make need not be checked
                self._database = _open(folder)
            except BaseException:
                self._lock.close()
                raise
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Check what is there, and bring it up to date."""
        state = state_of(self.folder)
        self.require_sound()
        if state == state_of(self.folder):
            vouch(self.folder)
        missing = UPGRADE.keys() - self._tables
        if not missing and self.id_format:
            return
        with self.transaction() as database:
            for table in missing:
                database.execute(UPGRADE[table])
            database.execute(f"PRAGMA user_version = {SCHEMA}")
            if not self.id_format:
                database.execute(_FACT, ("id format", str(ID_FORMAT)))
                database.execute(_FACT, ("drawing", str(DRAWING)))
        self.__dict__.pop("_tables", None)

    def close(self) -> None:
        """Bring everything into one file (checkpoint) and let go of the folder."""
        with explain_errors(self.folder):
            with self._vouching():
                self._database.close()
            self._lock.close()

    @contextlib.contextmanager
    def _vouching(self) -> Iterator[None]:
        """Let readers in this process know that what changes here is written by us, as all before it."""
        was_vouched = is_vouched(self.folder)
        yield
        if was_vouched:
            vouch(self.folder)

    def settle(self) -> None:
        """Bring everything into one file, and note that readers need not check all of it again."""
        with explain_errors(self.folder), self._vouching():
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        state = state_of(self.folder)
        keep(self.folder, "sound", state, "")
        keep(self.folder, "plan", state, self.fact("plan"))

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit everything that is written within it, or nothing."""
        with explain_errors(self.folder):
            self._database.set_progress_handler(None, 0)  # no limit on what we write ourselves
            self._database.execute("BEGIN IMMEDIATE")
            try:
                with self._vouching():
                    yield self._database
                    self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def write(self, games: Iterable[Row]) -> None:
        """Commit finished games, as rows of `GAME_COLUMNS`; nothing is said about where they were played."""
        self.write_by_machine({UNKNOWN: games})

    def write_by_machine(self, games: Mapping[int, Iterable[Row]]) -> None:
        """Commit finished games by the number of the machine that played them, all at once."""
        with self.transaction() as database:
            (last,) = database.execute("SELECT ifnull(max(rowid), 0) FROM games").fetchone()
            database.execute("DELETE FROM places WHERE since > ?", (last,))  # of games that were set aside
            found = database.execute("SELECT machine FROM places ORDER BY since DESC LIMIT 1").fetchone()
            before = found[0] if found else UNKNOWN
            for machine in sorted(games, key=lambda machine: machine != before):
                added = database.executemany(_GAME, games[machine]).rowcount
                if added and machine != before:
                    database.execute("INSERT INTO places VALUES (?, ?)", (last + 1, machine))
                    before = machine
                last += added

    def note_machine(self, run: int, name: str, walls: str) -> int:
        """Write down that a machine plays for a run, and behind which walls; return its number."""
        with self.transaction() as database:
            found = database.execute("INSERT INTO machines VALUES (NULL, ?, ?, ?)", (run, name, walls))
            assert found.lastrowid is not None
            return found.lastrowid

    def write_plan(
        self, fingerprint: str, field: str, games: Iterable[PlannedGame], has_rounds: bool = True
    ) -> None:
        """Make these the games that count, and keep what they come from; perhaps rounds of the log."""
        if self.fact("plan") == fingerprint and self._is_own_plan(fingerprint):
            if self.fact("field") != field:
                self.write_fact("field", field)
            return
        with self.transaction() as database:
            database.execute("DELETE FROM plan")
            self._add_to_plan(database, games)
            for game in self.planned_twice() if has_rounds else ():  # before we sign it
                raise wrong(self.folder, f"its rounds have game {game} twice")
            database.executemany(_FACT, [("plan", fingerprint), ("field", field)])

    def _is_own_plan(self, fingerprint: str) -> bool:
        """Whether this user has written the rows of the plan: anybody can write a fact."""
        return bool(remember(self.folder, "plan", lambda: "") == fingerprint)

    def write_round(
        self, pairings: Iterable[Sequence[object]], fingerprint: str, games: Iterable[PlannedGame]
    ) -> None:
        """Freeze the pairings of one more round, and add its games to the plan."""
        with self.transaction() as database:
            database.executemany(f"INSERT INTO rounds VALUES ({_marks(8)})", pairings)
            self._add_to_plan(database, games)
            database.execute(_FACT, ("plan", fingerprint))

    def _add_to_plan(self, database: sqlite3.Connection, games: Iterable[PlannedGame]) -> None:
        database.executemany(f"INSERT INTO plan VALUES ({_marks(len(PlannedGame._fields))})", games)

    def write_fact(self, name: str, value: str) -> None:
        """Note a single value."""
        with self.transaction() as database:
            database.execute(_FACT, (name, value))

    def note_contest(self, is_open: bool) -> None:
        """Note whether the contest goes on that these are the games of."""
        if is_open != self.is_open:
            self.write_fact(CONTEST, OPEN if is_open else CLOSED)

    def missing(self, after: int, most: int, is_fresh: bool = False) -> list[tuple[int, PlannedGame]]:
        """Return games of the plan that are not in the log, each with its number in the plan.

        With `is_fresh` none was played before, and the log is not asked: that would cost as much as planning.
        """
        absent = "1" if is_fresh else "NOT EXISTS (SELECT 1 FROM games WHERE games.game = plan.game)"
        query = f"SELECT rowid, * FROM plan WHERE rowid > ? AND {absent} ORDER BY rowid LIMIT ?"
        # Texts that many games share are kept once: a stretch may have hundreds of thousands of games.
        return [
            (
                number,
                PlannedGame(game, intern(name), opening, repeat, intern(one), intern(other), intern(cells)),
            )
            for number, game, name, opening, repeat, one, other, cells in self.rows(query, after, most)
        ]

    def bots_to_play(self) -> list[str]:
        """Return the bots with games of the plan that are not in the log."""
        rows = self.rows(
            "SELECT DISTINCT name FROM (SELECT first AS name, game FROM plan UNION ALL SELECT second, game "
            "FROM plan) WHERE game NOT IN (SELECT game FROM games)"
        )
        return [name for (name,) in rows]

    def set_aside(self, by: str, word: str, why: str) -> int:
        """Move games of the plan to `replaced`: those with an `ending`, of a `bot`, or without an isolation.

        Returns how many there were.
        """
        chosen = f"game IN (SELECT g.game FROM {PLANNED} WHERE {_WORDS[by]})"
        with self.transaction() as database:
            return _set_aside(database, chosen, word, why)

    def set_aside_games(self, games: Iterable[tuple[str, str]], fact: str, value: str) -> None:
        """Move single games to `replaced`, each with the reason, and note a fact with them."""
        with self.transaction() as database:
            for game, why in games:
                _set_aside(database, "game = :word", game, why)
            database.execute(_FACT, (fact, value))

    def write_void(self, game: str, variant: str, first: str, second: str, reason: str, run: int) -> None:
        """Write down a game that was spoilt by our own fault."""
        with self.transaction() as database:
            values = (game, variant, first, second, reason, now(), run)
            database.execute(f"INSERT INTO voids VALUES ({_marks(7)})", values)

    def write_replays(self, replays: Iterable[Sequence[object]], run: int) -> None:
        """Write down games that had to be played again: game, variant, both bots, the one at fault, why."""
        rows = [(*replay, now(), run) for replay in replays]
        with self.transaction() as database:
            database.executemany(f"INSERT INTO replays VALUES ({_marks(8)})", rows)

    def insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Add rows to one of the small tables; those that are there already stay as they are."""
        with self.transaction() as database:
            for row in rows:
                database.execute(f"INSERT OR IGNORE INTO {table} VALUES ({_marks(len(row))})", row)

    def mark_repeatable(self, name: str, full: str, is_repeatable: bool) -> None:
        """Write down whether a bot's games can be repeated; if they once could not, they never can again."""
        with self.transaction() as database:
            database.execute(
                "UPDATE bots SET is_repeatable = MIN(?, COALESCE(is_repeatable, 1)) "
                "WHERE name = ? AND hash = ?",
                (is_repeatable, name, full),
            )

    def begin_run(self, setting: Setting) -> int:
        """Write down that a run begins, and with what; return its number."""
        row = (
            now(),
            setting.config,
            json.dumps(setting.limits.by_key()),
            arena.__version__,
            sys.version.split()[0],
            _version_of("numpy"),
            f"{platform.system()} {platform.release()} {platform.machine()}",
            setting.isolation,
            setting.walls,
            setting.executor,
            setting.workers,
        )
        earlier = self._note_sitting()
        with self.transaction() as database:
            database.execute(_FACT, (SITTINGS, earlier))
            found = database.execute(
                "INSERT INTO runs VALUES (NULL, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row
            ).lastrowid
            assert found is not None
            return found

    def _note_sitting(self) -> str:
        """Return the last rows of games before the last two sittings that found another number of them."""
        before, last = self.sittings, self.number("SELECT max(rowid) FROM games")
        return " ".join(map(str, before if before[-1] == last else (before[-1], last)))

    def end_run(self, run: int) -> None:
        """Write down that a run has ended by itself."""
        with self.transaction() as database:
            database.execute("UPDATE runs SET ended_at = ? WHERE run = ?", (now(), run))


def now() -> str:
    """Return the time as the log writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _set_aside(database: sqlite3.Connection, chosen: str, word: str, why: str) -> int:
    values = {"word": word, "why": why, "now": now()}
    columns = ", ".join(GAME_COLUMNS)
    database.execute(f"INSERT INTO replaced SELECT {columns}, :now, :why FROM games WHERE {chosen}", values)
    return database.execute(f"DELETE FROM games WHERE {chosen}", values).rowcount


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _open(folder: Path) -> sqlite3.Connection:
    """Return the log for writing."""
    database = open_for_writing(folder)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA cache_size = -49152")  # 48 MiB hold the index of a million games
        database.execute("PRAGMA wal_autocheckpoint = 20000")
    except BaseException:
        database.close()
        raise
    return database


def _make_if_missing(folder: Path) -> bool:
    """Make a log if there is none; return whether it was made."""
    file = folder / LOG
    check_files(folder, LOG)
    check_own_files(folder, LOG)
    is_missing = not file.exists() or _is_blank(file)
    if is_missing:
        _make(file)
    return is_missing


def _is_blank(file: Path) -> bool:
    """Whether nothing was ever written: an empty file, or SQLite's first page without an application id."""
    with file.open("rb") as opened:
        head = opened.read(100)
    return not head or (head[:6] == b"SQLite" and head[68:72] == bytes(4) and head[28:32] <= b"\0\0\0\1")


def _make(file: Path) -> None:
    """Write a new log beside its place and move it there, so that nobody sees half of it."""
    half = file.with_name(f".{file.name}.{secrets.token_hex(8)}.new")
    try:
        with half.open("xb") as opened:
            opened.write(empty_log())
            opened.flush()
            os.fsync(opened.fileno())
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)
