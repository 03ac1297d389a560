"""One writer at a time: a lock that lasts as long as its process, however that ends."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from arena.errors import StoreError
from arena.log.door import DATABASE_ERRORS, check_files, check_own_files

LOCK = "lock.sqlite"


BUSY = "another run{who} is writing here; wait for it, or give this one another name"


def take_lock(folder: Path, busy: str = BUSY) -> sqlite3.Connection:
    """Return the lock of a folder, which is SQLite's own; StoreError, as `busy` says, if it is taken."""
    check_files(folder, LOCK)
    check_own_files(folder, LOCK)
    lock = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0)
    try:
        lock.execute("PRAGMA trusted_schema = OFF")
        lock.execute("PRAGMA journal_mode = MEMORY")  # no journal beside it is ever ours
        lock.execute("CREATE TABLE IF NOT EXISTS holder (pid INTEGER)")
        _check_shape(folder, lock)
        lock.execute("DELETE FROM holder")
        lock.execute("INSERT INTO holder VALUES (?)", (os.getpid(),))
        lock.execute("BEGIN IMMEDIATE")
    except StoreError:
        lock.close()
        raise
    except DATABASE_ERRORS as error:
        with contextlib.closing(lock):
            raise _explain_refusal(folder, lock, str(error), busy) from None
    return lock


def _check_shape(folder: Path, lock: sqlite3.Connection) -> None:
    found = lock.execute("SELECT type, name FROM sqlite_master LIMIT 2").fetchall()
    if found != [("table", "holder")]:
        raise _explain_damage(folder)


def _explain_damage(folder: Path) -> StoreError:
    return StoreError(f"{folder / LOCK}: is damaged; remove it, it has nothing that matters")


def _explain_refusal(folder: Path, lock: sqlite3.Connection, error: str, busy: str) -> Exception:
    """Return what to raise when a folder cannot be locked."""
    if any(words in error for words in ("not a database", "malformed", "no such", "has no column", "decode")):
        return _explain_damage(folder)
    if "locked" not in error:
        return sqlite3.OperationalError(error)
    holder = [pid for (pid,) in lock.execute("SELECT pid FROM holder") if isinstance(pid, int)]
    who = f" (process {holder[0]})" if holder else ""
    return StoreError(f"{folder}: {busy.format(who=who)}")
