"""`cache.sqlite`: what was computed from a log, so that it is computed once. Deleting it changes nothing.

A cache may come with a folder, made to show another table than the log does. So every row is signed with this
user's own key (HMAC) over all its values, and a row without that signature is ignored. A file that is not our
cache is deleted, and so is one with a journal beside it, because we never have one.

There are two kinds of rows. `kept` are values that belong to the log's files as they are on the disk: any
write to them makes the values stale, because no unpacked archive can forge the time of a change (ctime).
`grades` are what was found about the moves of games, which stays true whatever happens to the log.

Who reads the cache keeps others from writing to it. A process that reads all the time, while another one
plays and grades, therefore has caches of its own (`keep_apart`), and copies what lies beside the log. If one
of its threads plays and grades itself, that one uses the caches beside the logs (`keep_beside`).
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from threading import get_ident
from typing import Any, NamedTuple

import arena
from arena.files import is_plain_file
from arena.key import is_signed, sign
from arena.log.door import BESIDE, DATABASE_ERRORS, JOURNAL, LOG, explain_errors, harden

CACHE = "cache.sqlite"


class GradeRow(NamedTuple):
    """What was found out about the moves of all games that went alike; the first five fields say how."""

    definition: str  # 12 digits of the variant's
    moves: str
    opening_plies: int
    ending: str
    is_won_by_first: int
    first_kept: int
    first_graded: int
    first_chance: float  # the sum of what a random move would have kept
    first_weighed: int  # the number of graded moves in that sum
    first_thrown: int
    second_kept: int
    second_graded: int
    second_chance: float
    second_weighed: int
    second_thrown: int
    start: int | None  # the side that wins after the opening
    stood: int  # the side that wins where judging begins
    throws: str  # the plies at which a win was thrown away


FORMAT = 10
"""Increased whenever a value that is kept would now be computed differently."""

_OF_ARENA = f"{arena.__version__} {FORMAT}"

_TABLES = {
    "kept": "CREATE TABLE kept (name TEXT PRIMARY KEY, state TEXT, value TEXT, signature BLOB)",
    "grades": f"CREATE TABLE grades ({', '.join(GradeRow._fields)}, signature BLOB, "
    f"PRIMARY KEY ({', '.join(GradeRow._fields[:5])})) WITHOUT ROWID",
}


_apart: list[Path] = []
"""Where this process has its caches, if not beside the logs."""

_beside: set[int] = set()
"""Threads that have them beside the logs all the same."""


def keep_apart(place: Path) -> None:
    """Let this process have its caches in a folder of its own, and leave those beside the logs alone."""
    _apart[:] = [place]


def keep_beside() -> None:
    """Let this thread have its caches beside the logs, whatever the others do: it is the one that plays."""
    _beside.add(get_ident())


def _find_cache(folder: Path) -> Path:
    if not _apart or get_ident() in _beside:
        return folder / CACHE
    own = _apart[0] / sha256(str(folder.absolute()).encode(errors="surrogateescape")).hexdigest()[:32]
    own.mkdir(exist_ok=True)
    return own / CACHE


def remember(folder: Path, name: str, compute: Callable[[], Any]) -> Any:
    """Return a value that JSON can represent: the kept one, or a new one, which is then kept."""
    state = state_of(folder)
    kept = _recall(folder, name, state)
    if kept is not None:
        return json.loads(kept)
    value = compute()
    keep(folder, name, state, value)
    return value


def recall(folder: Path, name: str) -> Any:
    """Return the value that is kept of a log as it is now; None if there is none."""
    kept = _recall(folder, name, state_of(folder))
    return None if kept is None else json.loads(kept)


def remember_for_good(folder: Path, name: str, compute: Callable[[], Any]) -> Any:
    """Return a value that stays true whatever happens to the log, and is kept until arena changes."""
    kept = _recall(folder, name, _OF_ARENA)
    if kept is not None:
        return json.loads(kept)
    value = compute()
    _write(folder, name, _OF_ARENA, json.dumps(value))
    return value


def keep(folder: Path, name: str, state: str, value: Any) -> None:
    """Keep a value that was computed from a log in some state, unless it has changed since."""
    if state_of(folder) == state:  # nobody wrote meanwhile
        _write(folder, name, state, json.dumps(value))


_vouched: dict[Path, tuple[str, str]] = {}
"""Logs that this process has checked and then written itself, and what their files were when it last did."""


def vouch(folder: Path) -> None:
    """Note that a log was found sound by this process, and that it has written all that came since.

    It is in memory alone: a server that plays reads a log again and again that changes twice a second.
    """
    _vouched[folder.absolute()] = _state_of_log(folder)


def is_vouched(folder: Path) -> bool:
    """Whether nobody but this process has written to a log since it was found sound."""
    return _vouched.get(folder.absolute()) == _state_of_log(folder)


def _state_of_log(folder: Path) -> tuple[str, str]:
    """Return what the files of a log are, but for when the second one's owner was set.

    SQLite does that whenever root opens a log, if only to read it.
    """
    return _state_of_file(folder / LOG), _state_of_file(folder / f"{LOG}-wal").rpartition(" ")[0]


def state_of(folder: Path) -> str:
    """Return a text that changes with every write: which files there are, their sizes, and times of change.

    It also has the version of arena and of the cache: another version may compute differently.
    """
    files = (_state_of_file(folder / name) for name in (LOG, f"{LOG}-wal"))
    return "; ".join([_OF_ARENA, *filter(None, files)])


def _state_of_file(file: Path) -> str:
    with contextlib.suppress(FileNotFoundError):
        stat = file.stat()
        if stat.st_size:  # readers leave an empty one behind
            return f"{stat.st_ino} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"
    return ""


def _recall(folder: Path, name: str, state: str) -> str | None:
    """Return what is kept under a name, if it is of this state and signed by us."""
    kept = _read(folder, name)
    return kept[1] if kept is not None and kept[0] == state and is_signed(kept[2], name, *kept[:2]) else None


def _read(folder: Path, name: str) -> tuple[str, str, bytes] | None:
    with contextlib.suppress(*DATABASE_ERRORS):  # missing or damaged: it is only a cache
        file = _find_cache(folder)
        if not _is_ours(file):
            return None
        uri = file.absolute().as_uri()
        with contextlib.closing(sqlite3.connect(f"{uri}?mode=ro", uri=True)) as cache:
            harden(cache, folder / LOG)
            if not _has_our_tables(cache):
                return None
            query = "SELECT state, value, signature FROM kept WHERE name = ?"
            found = cache.execute(query, (name,)).fetchone()
            return None if found is None else (found[0], found[1], found[2])
    return None


def _write(folder: Path, name: str, state: str, value: str) -> None:
    """Keep a value, unless we may not write to the folder: then there is no cache."""
    with open_cache(folder) as cache, contextlib.suppress(*DATABASE_ERRORS), cache:
        row = (name, state, value, sign(name, state, value))
        cache.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", row)


_checked: dict[Path, str] = {}
"""Caches that this process has checked, and what their files were when it last wrote to them."""


@contextlib.contextmanager
def open_cache(folder: Path, check: str = "") -> Iterator[sqlite3.Connection]:
    """Open the cache of a folder; one in memory if it cannot be written.

    In its SQL `is_ours(signature, ...)` tells whether this user has signed the values. `check` removes what
    is not ours. To look at every signature takes as long as a table, so it is done once, and again when
    anybody but this process has written.
    """
    file = _find_cache(folder)
    is_checked = _checked.get(file) == _state_of_file(file) != ""
    cache = _open(file, folder / LOG) or _connect("file::memory:", folder / LOG)
    try:
        before = _version(cache)
        if check and not is_checked:
            with explain_errors(folder), cache:
                cache.execute(check)
            is_checked = True
        yield cache
        is_checked = is_checked and _version(cache) == before
    finally:
        cache.close()
    if is_checked:
        _checked[file] = _state_of_file(file)


def state_of_cache(folder: Path) -> str:
    """Return a text that changes with every write to the cache."""
    return _state_of_file(_find_cache(folder))


def state_of_neighbour(folder: Path) -> str:
    """Return a text that changes with every write to the cache beside a log, wherever our own is."""
    return _state_of_file(folder / CACHE)


_BORROWED = """INSERT OR REPLACE INTO main.kept SELECT t.* FROM theirs.kept AS t
    LEFT JOIN main.kept AS own ON own.name = t.name
    WHERE t.state IN (?, ?) AND own.state IS NOT t.state"""


def borrow_kept(folder: Path, cache: sqlite3.Connection) -> None:
    """Add the values of a cache that is attached as `theirs`, as far as they are of the log as it is now.

    Whoever reads them looks at their signatures.
    """
    cache.execute(_BORROWED, (state_of(folder), _OF_ARENA))


def copy_neighbour(folder: Path) -> Path | None:
    """Copy the cache beside a log to our own, as it is between two writes; None if that cannot be now.

    Nobody is waited for, and whoever wants to write waits for the copy of one file. Nothing in it is checked.
    """
    file, copy = folder / CACHE, _find_cache(folder).with_name("copy.sqlite")
    with contextlib.suppress(*DATABASE_ERRORS, OSError):
        if _apart and _is_ours(file):
            uri = f"{file.absolute().as_uri()}?mode=ro"
            with contextlib.closing(
                sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
            ) as theirs:
                harden(theirs, folder / LOG)
                theirs.execute("BEGIN")
                if _has_our_tables(theirs):  # and from here on nobody can write
                    shutil.copyfile(file, copy)
                    return copy
    return None


def trusted_state(folder: Path) -> str:
    """Return what the cache was when we had last checked it, for another process to trust it too."""
    return _checked.get(_find_cache(folder), "")


def trust_cache(folder: Path, state: str) -> None:
    """Note that a process of ours has checked the cache, and has written to it what is so now."""
    _checked[_find_cache(folder)] = state


def _version(cache: sqlite3.Connection) -> int | None:
    """Return a number that changes when another connection has written; None if the cache is damaged."""
    with contextlib.suppress(*DATABASE_ERRORS):
        return int(cache.execute("PRAGMA main.data_version").fetchone()[0])
    return None


def _open(file: Path, log: Path) -> sqlite3.Connection | None:
    for _ in range(2):
        with contextlib.suppress(*DATABASE_ERRORS, OSError):
            if not _is_ours(file):
                _throw_away(file)
            cache = _connect(file.absolute().as_uri(), log)
            if _has_our_tables(cache):
                return cache
            cache.close()
        with contextlib.suppress(OSError):
            _throw_away(file)
    return None


def _connect(uri: str, log: Path) -> sqlite3.Connection:
    cache = sqlite3.connect(uri, uri=True, timeout=5)
    try:
        harden(cache, log)  # which is as large as anything that is asked of the cache
        cache.create_function("is_ours", -1, is_signed, deterministic=True)
        cache.execute("PRAGMA journal_mode = MEMORY")  # so that no journal beside it is ever ours
        cache.execute("PRAGMA synchronous = OFF")
        (count,) = cache.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        if not count:
            with cache:
                for statement in _TABLES.values():
                    cache.execute(statement.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS", 1))
    except DATABASE_ERRORS:
        cache.close()
        raise
    return cache


def _has_our_tables(cache: sqlite3.Connection) -> bool:
    found = cache.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL LIMIT 10").fetchall()
    return dict(found) == _TABLES


def _is_ours(file: Path) -> bool:
    """Whether a file may be our cache: a plain file without hard links, with nothing beside it."""
    if any(file.with_name(f"{file.name}{ending}").exists() for ending in (JOURNAL, *BESIDE)):
        return False
    return is_plain_file(file) and file.stat().st_nlink == 1


def _throw_away(file: Path) -> None:
    """Remove whatever is in the place of the cache; a link is removed, never its target."""
    for ending in ("", JOURNAL, *BESIDE):
        file.with_name(f"{file.name}{ending}").unlink(missing_ok=True)
