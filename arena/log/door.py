"""The door: the only way to open a run folder, which is a stranger's document until it was looked at.

Looked at here, whatever is then read: the files are files and no links, pipes or second names of others;
nothing lies beside them that SQLite would act upon; it is a log of ours in a version that we read; and it
holds the tables of that version and nothing else, no trigger, no view, no index of somebody else's. That
costs the same for any number of games. What the rows say is looked at where they are read.

No question that is asked of a file goes on for ever: a page that points back at itself makes a small file
look endless, so the steps of a question are counted, and more than its size explains end it.
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
"""Bytes; with less than this left a disk counts as full when it reports an error."""

LONGEST_VALUE = 32 << 20
"""Bytes of the largest value that is read: a bot has at most 16 MiB."""

PAGES_KIB = 64 << 10
"""What SQLite may keep in memory of a file; with its own 2 MiB a million games are read again and again."""

STEP = 1 << 16
"""SQLite's own instructions between two looks at how many there were."""

FREE_STEPS = 20_000_000
STEPS_A_BYTE = 64
"""What a question may take: the largest one, of a million games, takes about 1 for each byte of the file."""

_spent: list[Path] = []
"""Files of which a question has just taken too many steps."""

DATABASE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file brings about; the latter where SQLite's own message has its bytes in it."""

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
            raise KeyboardInterrupt from None  # which SQLite takes for a wish to end the question
        _spent.clear()
        raise StoreError(_sentence(folder, str(error))) from None
    except OSError as error:
        raise StoreError(f"{error.filename or folder}: {error.strerror}") from None


def wrong(folder: Path, what: str) -> StoreError:
    """Return what to raise for a folder in which something is not as it must be."""
    return StoreError(f"{folder / LOG}: {what}")


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
        "interrupted": "is damaged: reading it would not come to an end",
        "endless": "is damaged: reading it would not come to an end",
        "too big": "is damaged: it holds a value that is too large for any log of arena's",
        "decode": "is damaged: it holds a text that is none",
    }.items():
        if words in error:
            return f"{file}: {sentence}"
    return f"{file}: {printable(error, 200)}"


def _is_full(folder: Path) -> bool:
    """Whether there is hardly any room left: SQLite does not always say so by that name."""
    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


def open_for_reading(folder: Path) -> sqlite3.Connection:
    """Return the log of a folder; also of one in which nothing can be written."""
    file = folder / LOG
    if not file.exists() and not file.is_symlink():
        raise StoreError(f"{folder}: there is no {LOG} in it, so it is no run folder")
    check_files(folder, LOG)
    return _open_checked(folder, sqlite3.connect(readable_uri(folder), uri=True, isolation_level=None))


def open_for_writing(folder: Path) -> sqlite3.Connection:
    """Return the log of a folder to be written to; the caller holds its lock, and has seen to its files."""
    return _open_checked(folder, sqlite3.connect(folder / LOG, isolation_level=None))


def check_files(folder: Path, name: str) -> None:
    """StoreError unless a database of a folder, and all that SQLite may find beside it, are plain files."""
    for file in (folder / name, *(folder / f"{name}{ending}" for ending in BESIDE)):
        if (file.exists() or file.is_symlink()) and not is_plain_file(file):
            raise StoreError(f"{file}: is not a plain file; a run folder has no links and no pipes")
        if file != folder / name:
            _check_own(file)  # which also those who only read may write
    journal = folder / f"{name}{JOURNAL}"
    if journal.exists() or journal.is_symlink():
        raise StoreError(f"{journal}: arena never writes such a file, and SQLite would obey it; remove it")


def check_own_files(folder: Path, name: str) -> None:
    """StoreError if a database that is to be written, or a file beside it, has a second name elsewhere."""
    for file in (folder / name, *(folder / f"{name}{ending}" for ending in BESIDE)):
        _check_own(file)


def _check_own(file: Path) -> None:
    if is_plain_file(file) and file.stat().st_nlink > 1:
        raise StoreError(f"{file}: has another name somewhere (a hard link); copy the folder, then go on")


def _open_checked(folder: Path, database: sqlite3.Connection) -> sqlite3.Connection:
    try:
        harden(database, folder / LOG)
        _check(database, folder / LOG)
    except BaseException:
        database.close()
        raise
    return database


def harden(database: sqlite3.Connection, file: Path) -> None:
    """Have a connection believe nothing that a file says about how it is to be read."""
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    database.execute("PRAGMA mmap_size = 0")
    database.execute(f"PRAGMA cache_size = -{PAGES_KIB}")
    be_patient(database, file)


def be_patient(database: sqlite3.Connection, file: Path) -> None:
    """Let the next question take as many steps as a file of this size may need, and no more."""
    left = (FREE_STEPS + STEPS_A_BYTE * size_on_disk(file)) // STEP

    def is_too_much() -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            _spent.append(file)
        return left < 0

    database.set_progress_handler(is_too_much, STEP)


def size_on_disk(file: Path) -> int:
    """Return how many bytes a database and its write-ahead log really have: a file may be mostly a hole."""
    found = [part.stat() for part in (file, file.with_name(f"{file.name}-wal")) if part.exists()]
    return sum(min(stat.st_size, 512 * stat.st_blocks) for stat in found)


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
    except UnicodeDecodeError:
        return True  # so far that its shape can be refused
    return True


def _check(database: sqlite3.Connection, file: Path) -> None:
    """StoreError if this is not a whole log that we can read."""
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (schema,) = database.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise StoreError(f"{file}: is no log of arena's; move it away. Nothing was changed")
    if not OLDEST_SCHEMA <= schema <= SCHEMA:
        age = "a newer" if schema > SCHEMA else "an older"
        raise StoreError(
            f"{file}: was written by {age} arena (format {schema}, and this one reads {SCHEMA}); "
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
    """StoreError if there is anything in a log but its tables."""
    found, allowed = shape_of(database), allowed_shapes(schema)
    if found in allowed:
        return
    foreign = sorted(f"{kind} {name}" for kind, name, _, _ in found - allowed[-1])
    missing = sorted(f"{kind} {name}" for kind, name, _, _ in allowed[0] - found)
    what = f"a foreign {printable(foreign[0])} in it" if foreign else f"no {missing[0]} in it"
    raise StoreError(f"{file}: is not a log as arena writes it: there is {what}. Nothing was changed")
