"""The tables of a log, by version. Anything else in a file is not ours.

`games` is what was played, one row for each id, never changed; `plan` the ids that count now, with their
openings; `openings` those that were ever planned, frozen; `variants`, `bots`, `files`, `runs` what the games
were played with; `rounds` the pairings of formats that play by results, frozen; `voids` what was our own
fault; `replays` games that had to be played again, and why; `audits` games that were played again to see
whether they come out the same; `replaced` rows of `games` that were replaced; `machines` where a run had
games played, with the walls that were proven there, and `places` from which row of `games` on they came from
which of them. `facts` are single values: the
plan's fingerprint, the field that it was made from, the format of ids, the last row that was audited.

Row ids of `games` follow the order of arrival, and the index of ids is separate from the rows: if the rows
were in the order of their hashed ids, every insert would touch another page of a large file. `plan` has no
index: it is written and read from beginning to end. Measured for a million games: 7 and 1 µs a row.

Where a game was played is not in its row: it is the same for many in a row. Refused: a column for it, which
would change the rows of all folders, and what is public about them.

A new file is written whole and moved into place, in SQLite's write-ahead mode from its first byte. So a log
of ours never has a rollback journal beside it, and a journal that is there is somebody else's: SQLite would
follow it, and delete the file that it names.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from typing import get_type_hints

from arena.referee.row import GameRow

SCHEMA = 3
OLDEST_SCHEMA = 2
APPLICATION = 0x6172656E  # "aren"

_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL"}
_GAME = ", ".join(
    f"{name} {_TYPES[kind]} NOT NULL" + " PRIMARY KEY" * (name == "game")
    for name, kind in get_type_hints(GameRow).items()
)

_COMMON = f"""
CREATE TABLE games ({_GAME});
CREATE TABLE replaced ({_GAME.replace(" PRIMARY KEY", "")}, replaced_at TEXT NOT NULL, why TEXT NOT NULL);
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
"""
_ROUNDS = """CREATE TABLE rounds (series TEXT NOT NULL, round INTEGER NOT NULL,
    one TEXT NOT NULL, one_version TEXT NOT NULL, other TEXT NOT NULL, other_version TEXT NOT NULL,
    start INTEGER NOT NULL, count INTEGER NOT NULL);
"""
_REPLAYS = """CREATE TABLE replays (game TEXT NOT NULL, variant TEXT NOT NULL, first TEXT NOT NULL,
    second TEXT NOT NULL, bot TEXT NOT NULL, reason TEXT NOT NULL, happened_at TEXT NOT NULL,
    run INTEGER NOT NULL);
"""
_AUDITS = """CREATE TABLE audits (game TEXT NOT NULL, moves TEXT NOT NULL, ending TEXT NOT NULL,
    bot TEXT NOT NULL, ply INTEGER NOT NULL, happened_at TEXT NOT NULL, run INTEGER NOT NULL);
"""
_MACHINES = """CREATE TABLE machines (machine INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT NOT NULL,
    walls TEXT NOT NULL);
"""
_PLACES = "CREATE TABLE places (since INTEGER PRIMARY KEY, machine INTEGER NOT NULL);\n"
_OLDER = _COMMON + _ROUNDS + _REPLAYS

_SCRIPTS = {
    2: (_COMMON, _COMMON + _ROUNDS),  # rounds came later
    3: (_OLDER, _OLDER + _AUDITS, _OLDER + _AUDITS + _MACHINES + _PLACES),  # and so did these, in turn
}
"""What makes a log of every version that is read."""

UPGRADE = {
    "rounds": _ROUNDS,
    "replays": _REPLAYS,
    "audits": _AUDITS,
    "machines": _MACHINES,
    "places": _PLACES,
}
"""The tables that an older log gets when it is written to again."""

Shape = frozenset[tuple[str, str, str, str | None]]


def shape_of(database: sqlite3.Connection) -> Shape:
    """Return what a file says it holds: types, names, tables and the text of everything in it."""
    found = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 100")
    return frozenset((kind, name, of, sql and " ".join(str(sql).split())) for kind, name, of, sql in found)


@cache
def allowed_shapes(schema: int) -> tuple[Shape, ...]:
    """Return the shapes that a log of some version may have."""
    shapes = []
    for script in _SCRIPTS[schema]:
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript(script)
            shapes.append(shape_of(database))
    return tuple(shapes)


def empty_log() -> bytes:
    """Return a log with all its tables and nothing in them, as the bytes of a file."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(
            f"{_SCRIPTS[SCHEMA][-1]} PRAGMA user_version = {SCHEMA}; PRAGMA application_id = {APPLICATION};"
        )
        image = bytearray(database.serialize())
    image[18] = image[19] = 2  # read and written in write-ahead mode, by SQLite's file format
    return bytes(image)
