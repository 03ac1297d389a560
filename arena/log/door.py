"""The door: the only way to open a run folder, which is a stranger's document until it was checked.

Checked here, whatever is read later: the files are plain files, not links, pipes or hard links to others;
nothing is beside them that SQLite would act on; it is a log of ours in a version that we read; and it has the
tables of that version and nothing else: no trigger, no view, no foreign index. That costs the same for any
number of games. What the rows say is checked where they are read.

No query runs for ever: a page that points back at itself makes a small file look endless. So the steps of a
query are counted, and a query that takes more than the file's size explains is ended.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from arena.errors import StoreError, printable
from arena.files import is_plain_file
from arena.log.schema import APPLICATION, OLDEST_SCHEMA, SCHEMA, allowed_shapes, shape_of

LOG = "games.sqlite"
ROOM = 1 << 20
"""Bytes; a disk that reports an error and has less than this left counts as full."""

LONGEST_VALUE = 32 << 20
"""Bytes of the largest value that we read: a bot has at most 16 MiB."""

PAGES_KIB = 64 << 10
"""SQLite's page cache; with its default of 2 MiB the pages of a million games are read again and again."""

STEP = 1 << 16
"""SQLite's virtual machine instructions between two calls of the progress handler."""

FREE_STEPS = 20_000_000
STEPS_A_BYTE = 64
"""The most steps of a query; the largest one, of a million games, takes about 1 for each byte of the file."""

_spent: list[Path] = []
"""Files on which a query has just taken too many steps."""

DATABASE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file raises; the latter if SQLite's own message has the file's bytes in it."""

BESIDE = ("-wal", "-shm")
JOURNAL = "-journal"


@contextlib.contextmanager
def explain_errors(folder: Path) -> Iterator[None]:
    """Turn what the file system or SQLite says about a folder into a sentence for the user."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # a game written twice would be our own fault
    except DATABASE_ERRORS as error:
        if "interrupted" in str(error) and not _spent:
            raise KeyboardInterrupt from None  # which ended the query in SQLite
        _spent.clear()
        raise StoreError(_sentence(folder, str(error))) from None
    except OSError as error:
        raise StoreError(f"{error.filename or folder}: {error.strerror}") from None


def wrong(folder: Path, what: str) -> StoreError:
    """Return what to raise for a folder in which something is wrong."""
    return StoreError(f"{folder / LOG}: {what}")


def _sentence(folder: Path, error: str) -> str:
    file = folder / LOG
    if "disk I/O" in error and _is_full(folder):
        error = "full"
    for words, sentence in {
        "full": "the disk is full; every game written so far is kept, and the next run goes on from there",
        "readonly": "cannot be written; nothing was changed",
        "unable to open": "cannot be opened or made: does the folder exist, and may you write to it?",
        "malformed": "is damaged, perhaps cut off; move it away or restore a copy. Nothing was changed",
        "not a database": "is not an arena log, or is damaged; move it away. Nothing was changed",
        "disk I/O": "cannot be read or written: the disk reports an error. Nothing was changed",
        "interrupted": "is damaged: reading it would never end",
        "endless": "is damaged: reading it would never end",
        "too big": "is damaged: it has a value that is too large for an arena log",
        "decode": "is damaged: it has a text that is not valid UTF-8",
    }.items():
        if words in error:
            return f"{file}: {sentence}"
    return f"{file}: {printable(error, 200)}"


def _is_full(folder: Path) -> bool:
    """Whether there is hardly any room left: SQLite does not always say that the disk is full."""
    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


def open_for_reading(folder: Path) -> sqlite3.Connection:
    """Return the log of a folder, which may be read-only."""
    file = folder / LOG
    if not file.exists() and not file.is_symlink():
        raise StoreError(f"{folder}: there is no {LOG} in it, so it is not a run folder")
    check_files(folder, LOG)
    return _open_checked(folder, sqlite3.connect(readable_uri(folder), uri=True, isolation_level=None))


def open_for_writing(folder: Path) -> sqlite3.Connection:
    """Return the log of a folder for writing; the caller holds its lock, and has checked its files."""
    return _open_checked(folder, sqlite3.connect(folder / LOG, isolation_level=None))


def check_files(folder: Path, name: str) -> None:
    """StoreError unless a database and the files that SQLite may find beside it are plain files."""
    for file in (folder / name, *(folder / f"{name}{ending}" for ending in BESIDE)):
        if (file.exists() or file.is_symlink()) and not is_plain_file(file):
            raise StoreError(f"{file}: is not a plain file; a run folder has no links and no pipes")
        if file != folder / name:
            _check_own(file)  # SQLite writes this file even when it only reads
    journal = folder / f"{name}{JOURNAL}"
    if journal.exists() or journal.is_symlink():
        raise StoreError(f"{journal}: arena never writes such a file, and SQLite would obey it; remove it")


def check_own_files(folder: Path, name: str) -> None:
    """StoreError if a database that is to be written, or a file beside it, has a second name elsewhere."""
    for file in (folder / name, *(folder / f"{name}{ending}" for ending in BESIDE)):
        _check_own(file)


def _check_own(file: Path) -> None:
    if is_plain_file(file) and file.stat().st_nlink > 1:
        raise StoreError(
            f"{file}: has a second name somewhere (a hard link); copy the folder and use the copy"
        )


def _open_checked(folder: Path, database: sqlite3.Connection) -> sqlite3.Connection:
    try:
        harden(database, folder / LOG)
        _check(database, folder / LOG)
    except BaseException:
        database.close()
        raise
    return database


def harden(database: sqlite3.Connection, file: Path) -> None:
    """Make a connection distrust what a file says about how to read it."""
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    database.execute("PRAGMA mmap_size = 0")
    database.execute(f"PRAGMA cache_size = -{PAGES_KIB}")
    be_patient(database, file)


def be_patient(database: sqlite3.Connection, file: Path) -> None:
    """Let the next query take as many steps as a file of this size may need, and no more."""
    left = (FREE_STEPS + STEPS_A_BYTE * size_on_disk(file)) // STEP

    def is_too_much() -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            _spent.append(file)
        return left < 0

    database.set_progress_handler(is_too_much, STEP)


def size_on_disk(file: Path) -> int:
    """Return how many bytes a database and its write-ahead log use on disk: a file may be sparse."""
    found = [part.stat() for part in (file, file.with_name(f"{file.name}-wal")) if part.exists()]
    return sum(min(stat.st_size, 512 * stat.st_blocks) for stat in found)


def readable_uri(folder: Path) -> str:
    """Return the URI with which SQLite can read the log of a folder, also of a read-only one."""
    file = folder / LOG
    uri = file.absolute().as_uri()
    with contextlib.closing(sqlite3.connect(f"{uri}?mode=ro", uri=True)) as database:
        if _is_readable(database) or _has_more_beside(file):
            return f"{uri}?mode=ro"
    # A read-only log that nobody writes: SQLite reads it if we say that it is immutable.
    return f"{uri}?immutable=1"


def _has_more_beside(file: Path) -> bool:
    """Whether some games are still only in the write-ahead log."""
    wal = file.with_name(f"{file.name}-wal")
    return wal.exists() and wal.stat().st_size > 0


def _is_readable(database: sqlite3.Connection) -> bool:
    try:
        database.execute("SELECT COUNT(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        return False
    except UnicodeDecodeError:
        return True  # enough for the check of its shape to refuse it
    return True


def _check(database: sqlite3.Connection, file: Path) -> None:
    """StoreError if this is not a whole log that we can read."""
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (schema,) = database.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise StoreError(f"{file}: is not an arena log; move it away. Nothing was changed")
    if not OLDEST_SCHEMA <= schema <= SCHEMA:
        age = "a newer" if schema > SCHEMA else "an older"
        raise StoreError(
            f"{file}: was written by {age} arena (format {schema}; this arena reads {SCHEMA}); "
            "use that one, or give this run another name. Nothing was changed"
        )
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    (size,) = database.execute("PRAGMA page_size").fetchone()
    if file.stat().st_size < pages * size and not _has_more_beside(file):
        raise StoreError(_sentence(file.parent, "malformed"))
    if database.execute("PRAGMA encoding").fetchone() != ("UTF-8",):
        raise StoreError(f"{file}: is not a log as arena writes it: its texts are not UTF-8")
    _check_shape(database, file, schema)


def _check_shape(database: sqlite3.Connection, file: Path, schema: int) -> None:
    """StoreError if a log has anything but its tables."""
    found, allowed = shape_of(database), allowed_shapes(schema)
    if found in allowed:
        return
    foreign = sorted(f"{kind} {name}" for kind, name, _, _ in found - allowed[-1])
    if foreign:
        what = f"a foreign {printable(foreign[0])} in it"
    else:
        lacking = min((shape - found for shape in allowed if shape > found), key=len)
        what = f"no {max(f'{kind} {name}' for kind, name, _, _ in lacking)} in it"  # tables before indices
    raise StoreError(f"{file}: is not a log as arena writes it: there is {what}. Nothing was changed")
