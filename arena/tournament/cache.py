"""`cache.sqlite`: what was computed from a log, while the log stays as it is. Deleting it changes nothing.

What is kept belongs to the log's files as they are on the disk, their sizes and times: whoever writes to
them, by whatever means, makes it stale. A copied folder computes anew.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import arena
from arena.store import LOG

CACHE = "cache.sqlite"
FORMAT = 2
"""Raised whenever something that is kept would now be computed otherwise."""


def cached(folder: Path, name: str, compute: Callable[[], Any]) -> Any:
    """Return a value that JSON can hold: the one that was kept, or else a new one, which is then kept."""
    state = _state(folder)
    kept = _read(folder, name)
    if kept is not None and kept[0] == state:
        return json.loads(kept[1])
    value = compute()
    if _state(folder) == state:  # nobody wrote meanwhile
        _write(folder, name, state, json.dumps(value))
    return value


def _state(folder: Path) -> str:
    """Return what changes with every write: sizes and times of the log and of what is still beside it.

    And the version of arena and of what it keeps: another one may compute otherwise.
    """
    found = [f"{arena.__version__} {FORMAT}"]
    for name in (LOG, f"{LOG}-wal"):
        with contextlib.suppress(FileNotFoundError):
            stat = (folder / name).stat()
            if stat.st_size:  # readers leave an empty one behind
                found.append(f"{stat.st_size} {stat.st_mtime_ns}")
    return "; ".join(found)


def _read(folder: Path, name: str) -> tuple[str, str] | None:
    with contextlib.suppress(sqlite3.DatabaseError):  # missing or damaged: it is only a cache
        uri = (folder / CACHE).absolute().as_uri()
        with contextlib.closing(sqlite3.connect(f"{uri}?mode=ro", uri=True)) as cache:
            found = cache.execute("SELECT state, value FROM kept WHERE name = ?", (name,)).fetchone()
            return None if found is None else (found[0], found[1])
    return None


def _write(folder: Path, name: str, state: str, value: str) -> None:
    """Keep a value, unless the folder may only be read: then there is no cache."""
    with (
        contextlib.suppress(sqlite3.DatabaseError),
        contextlib.closing(sqlite3.connect(folder / CACHE, timeout=1)) as cache,
        cache,
    ):
        cache.execute("CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, state TEXT, value TEXT)")
        cache.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (name, state, value))
