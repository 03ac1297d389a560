"""Whether the games of a log can be what they say: every row of the right types, sizes and words, each game
counted once, and all of it in one whole file.

That a game was played as it says is another question, which `verify` answers. This one is asked before all
games are counted, so that no table shows what the log does not support: a game that the plan names twice, a
winner who did not play, an index that leaves games out. It takes some microseconds a game, and is asked once
for a log that stays as it is (`cache`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from arena.errors import StoreError, printable
from arena.game.board import MOST_CELLS
from arena.game.definition import is_variant_name
from arena.hosts.library import ISOLATIONS
from arena.hosts.source import NAME
from arena.log.door import wrong
from arena.referee.endings import Ending
from arena.referee.row import GAME_COLUMNS, GameRow
from arena.solver.openings import MOST_PLIES

if TYPE_CHECKING:
    from arena.log.reading import Log

LONGEST_DETAIL = 1000
LONGEST_MOVES = 6 * MOST_CELLS
MOST_SECONDS = 1e9

_ENDINGS = tuple(ending.value for ending in Ending)
_ID, _VERSION = re.compile(r"[0-9a-f]{16}", re.ASCII), re.compile(r"[0-9a-f]{12}", re.ASCII)
_MOVES = re.compile(r"([0-9]{1,4}( [0-9]{1,4})*)?", re.ASCII)

# The same said twice: to SQLite, which looks at a million rows in seconds, and to Python, which says of a
# row that did not pass what is wrong with it. A test holds them to each other.
_NAME_SQL = "typeof({0}) = 'text' AND length({0}) BETWEEN 1 AND 64 AND {0} NOT GLOB '*[^A-Za-z0-9_.-]*'"
_HEX_SQL = "typeof({0}) = 'text' AND length({0}) = {1} AND {0} NOT GLOB '*[^0-9a-f]*'"
_WHOLE_SQL = "typeof({0}) = 'integer' AND {0} BETWEEN {1} AND {2}"
_CELLS_SQL = " AND ".join(
    f"{{0}} NOT GLOB '{odd}'" for odd in ("*[^0-9 ]*", "*[0-9][0-9][0-9][0-9][0-9]*", "*  *", " *", "* ")
)
_SECONDS_SQL = f"typeof({{0}}) IN ('real', 'integer') AND {{0}} BETWEEN 0 AND {MOST_SECONDS}"
_WORDS_SQL = "typeof({0}) = 'text' AND {0} IN ({1})"
_MOST = 1 << 53


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"'{word}'" for word in words)


_ROW_SQL = {
    "game": _HEX_SQL.format("game", 16),
    "variant": "typeof(variant) = 'text' AND length(variant) BETWEEN 1 AND 64",
    "opening": _WHOLE_SQL.format("opening", 0, _MOST),
    "repeat": _WHOLE_SQL.format("repeat", 0, _MOST),
    "first": _NAME_SQL.format("first"),
    "second": _NAME_SQL.format("second") + " AND second <> first",
    "first_version": _HEX_SQL.format("first_version", 12),
    "second_version": _HEX_SQL.format("second_version", 12),
    "winner": "winner IN (first, second)",
    "ending": _WORDS_SQL.format("ending", _listed(_ENDINGS)),
    "detail": f"typeof(detail) = 'text' AND length(detail) <= {LONGEST_DETAIL}",
    "moves": f"typeof(moves) = 'text' AND length(moves) <= {LONGEST_MOVES} AND {_CELLS_SQL.format('moves')}",
    "opening_plies": _WHOLE_SQL.format("opening_plies", 0, MOST_PLIES),
    "plies": _WHOLE_SQL.format("plies", "opening_plies", MOST_CELLS),
    "isolation": _WORDS_SQL.format("isolation", _listed(ISOLATIONS)),
    "first_cpu_seconds": _SECONDS_SQL.format("first_cpu_seconds"),
    "second_cpu_seconds": _SECONDS_SQL.format("second_cpu_seconds"),
    "first_wall_seconds": _SECONDS_SQL.format("first_wall_seconds"),
    "second_wall_seconds": _SECONDS_SQL.format("second_wall_seconds"),
}
assert list(_ROW_SQL) == GAME_COLUMNS

UNSOUND = " OR ".join(f"NOT coalesce({condition}, 0)" for condition in _ROW_SQL.values())
"""An SQL condition that holds for rows of `games` that arena would not have written."""


def _is_text(value: Any, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest


def _is_whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and not math.isnan(value) and 0 <= value <= MOST_SECONDS


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


_ROW: dict[str, Callable[[GameRow], bool]] = {
    "game": lambda row: _matches(_ID, row.game),
    "variant": lambda row: is_variant_name(row.variant),
    "opening": lambda row: _is_whole(row.opening, 0, _MOST),
    "repeat": lambda row: _is_whole(row.repeat, 0, _MOST),
    "first": lambda row: _matches(NAME, row.first),
    "second": lambda row: _matches(NAME, row.second) and row.second != row.first,
    "first_version": lambda row: _matches(_VERSION, row.first_version),
    "second_version": lambda row: _matches(_VERSION, row.second_version),
    "winner": lambda row: row.winner in (row.first, row.second),
    "ending": lambda row: row.ending in _ENDINGS,
    "detail": lambda row: _is_text(row.detail, LONGEST_DETAIL),
    "moves": lambda row: _is_text(row.moves, LONGEST_MOVES) and _matches(_MOVES, row.moves),
    "opening_plies": lambda row: _is_whole(row.opening_plies, 0, MOST_PLIES),
    "plies": lambda row: _is_whole(row.plies, row.opening_plies, MOST_CELLS),
    "isolation": lambda row: row.isolation in ISOLATIONS,
    "first_cpu_seconds": lambda row: _is_seconds(row.first_cpu_seconds),
    "second_cpu_seconds": lambda row: _is_seconds(row.second_cpu_seconds),
    "first_wall_seconds": lambda row: _is_seconds(row.first_wall_seconds),
    "second_wall_seconds": lambda row: _is_seconds(row.second_wall_seconds),
}
assert list(_ROW) == GAME_COLUMNS


def fault_of(row: GameRow) -> str | None:
    """Return what is wrong with a row of `games` by itself; None if arena may have written it."""
    for column, is_right in _ROW.items():
        if not is_right(row):
            return f"its {column} cannot be {printable(repr(getattr(row, column)))}"
    return None


def check_row(log: Log, row: GameRow) -> GameRow:
    """Return a row; StoreError if it is not one that arena writes."""
    fault = fault_of(row)
    if fault is not None:
        raise wrong(log.folder, f"game {printable(str(row.game))} is not as arena writes games: {fault}")
    return row


def check_games(log: Log) -> None:
    """StoreError if the games of a log, or its plan, are not such that they can be counted."""
    for fault in _faults(log):
        raise wrong(log.folder, f"{fault}; `arena verify` looks at every game")


def _faults(log: Log) -> Iterator[str]:
    yield from (f"is damaged ({printable(text, 80)})" for text in log.damage())
    for row in log.unsound_games():
        fault = fault_of(row) or "one of its columns is of another type"
        yield f"game {printable(str(row.game))} is not as arena writes games: {fault}"
    for game in log.planned_twice():
        yield f"its plan has game {printable(str(game))} twice"
    for game in log.played_otherwise():
        yield f"game {printable(str(game))} is not the one that the plan has by that id"
    yield from _strangers(log)


def _strangers(log: Log) -> Iterator[str]:
    """Yield which bots and variants of the plan nobody has entered."""
    bots = log.planned_bots()
    if not bots:
        return
    field = log.field()
    kept = {f"{name}@{version}" for name, version, _ in log.bots()}
    for name in bots:
        if name not in field.bots and name not in kept:
            yield f"its plan has a bot {printable(repr(name))} that did not enter"
    for name in log.planned_variants():
        if name not in dict(field.variants):
            yield f"its plan has a variant {printable(repr(name))} that is not played"


def is_sound(log: Log) -> str:
    """Return nothing for a log whose games can be counted, else why not: in a shape that a cache can hold."""
    try:
        check_games(log)
    except StoreError as error:
        return str(error)
    return ""
