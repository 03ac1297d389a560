"""The tables of the book, and how a new one is made: whole, private, and in its place at once.

`tokens` has one row for each name, with the SHA-256 of its secret. `uploads` has all that was handed in, in
order; `files` the bytes of each. `deeds` is what the organiser has done; what
follows from it, such as whether a contest is paused, is never stored but read from there.

A new file is written under another name, in SQLite's write-ahead mode from its first byte, and linked to its
place, which fails if another process was quicker. So two processes can open a book that is not there yet.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from arena.errors import StoreError, printable
from arena.files import is_plain_file

FOLDER, FILE = "contests", "book.sqlite"
APPLICATION = 0x61726562  # "areb"
SCHEMA = 1
PATIENCE_SECONDS = 20.0
"""For another process that writes at the moment."""

_SCRIPT = f"""
CREATE TABLE tokens (name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, role TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, made_at REAL NOT NULL, revoked_at REAL);
CREATE TABLE uploads (id INTEGER PRIMARY KEY AUTOINCREMENT, tournament TEXT NOT NULL, name TEXT NOT NULL,
    version TEXT NOT NULL, main TEXT NOT NULL, bytes INTEGER NOT NULL, received_at REAL NOT NULL,
    state TEXT NOT NULL, steps TEXT NOT NULL);
CREATE TABLE files (upload INTEGER NOT NULL, path TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (upload, path));
CREATE TABLE deeds (id INTEGER PRIMARY KEY AUTOINCREMENT, tournament TEXT NOT NULL, at REAL NOT NULL,
    who TEXT NOT NULL, what TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX uploads_of ON uploads (tournament, name);
PRAGMA user_version = {SCHEMA};
PRAGMA application_id = {APPLICATION};
"""


def open_book(base: Path) -> sqlite3.Connection:
    """Return the book of a folder, made if there is none; OSError, sqlite3.Error or StoreError if not."""
    folder = base / FOLDER
    file = folder / FILE
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise StoreError(f"{folder}: is a link or a file where a folder should be") from None
    if not os.path.lexists(file):
        _make(folder, file)
    if not is_plain_file(file):
        raise StoreError(f"{file}: is not a plain file")
    database = sqlite3.connect(file, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _prepare(database, file)
    except BaseException:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection, file: Path) -> None:
    found = [database.execute(f"PRAGMA {word}").fetchone()[0] for word in ("application_id", "user_version")]
    if found[0] != APPLICATION:
        raise StoreError(f"{file}: is not a book of contests; move it away. Nothing was changed")
    if found[1] != SCHEMA:
        raise StoreError(
            f"{file}: was written by another arena (format {found[1]}, not {SCHEMA}); use that one"
        )
    database.execute("PRAGMA synchronous = FULL")  # what was received outlives a power cut
    database.execute("PRAGMA journal_size_limit = 67108864")
    database.execute("PRAGMA secure_delete = ON")


def _make(folder: Path, file: Path) -> None:
    half = folder / f".{FILE}.{secrets.token_hex(8)}.new"
    try:
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(_empty_book())
            opened.flush()
            os.fsync(opened.fileno())
        try:
            os.link(half, file)
        except FileExistsError:
            return  # another process was quicker
        _sync(folder)
        _sync(folder.parent)
    finally:
        half.unlink(missing_ok=True)


def _empty_book() -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCRIPT)
        image = bytearray(database.serialize())
    image[18] = image[19] = 2  # read and written in write-ahead mode, by SQLite's file format
    return bytes(image)


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def explain_errors(file: Path) -> Iterator[None]:
    """Turn what the disk or SQLite says into a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{file}: {_say_why(str(error))}") from None
    except OSError as error:
        raise StoreError(f"{error.filename or file}: {error.strerror}; nothing was changed") from None


def _say_why(error: str) -> str:
    for words, sentence in {
        "full": "the disk is full. Nothing was changed; all that was received before is kept",
        "readonly": "cannot be written. Nothing was changed",
        "unable to open": "cannot be opened or made: does the folder exist, and may you write to it?",
        "locked": "another process has been writing for too long. Nothing was changed; try again",
        "malformed": "is damaged; move it away or restore a copy. Nothing was changed",
        "not a database": "is not a book of contests, or is damaged; move it away. Nothing was changed",
        "disk I/O": "cannot be read or written: the disk reports an error, or is full. Nothing was changed",
    }.items():
        if words in error:
            return sentence
    return printable(error, 200)
