"""Whether the games of a log are possible: right types, sizes and words, each counted once, a whole file.

Whether a game was really played as it says is another question, which `verify` answers. This one is asked
before all games are counted, so that no table shows what the log does not support: a game that the plan names
twice, a winner who did not play, an index that leaves games out. It takes some microseconds a game, and is
asked once for a log that does not change (`cache`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from arena.bots.source import NAME
from arena.errors import StoreError, printable
from arena.game.board import MOST_CELLS
from arena.game.definition import is_variant_name
from arena.log.door import wrong
from arena.referee.endings import Ending
from arena.referee.row import GAME_COLUMNS, ISOLATIONS, GameRow
from arena.solver.openings import MOST_PLIES

if TYPE_CHECKING:
    from arena.log.reading import Log

LONGEST_DETAIL = 1000
LONGEST_MOVES = 6 * MOST_CELLS
MOST_SECONDS = 1e9

_ENDINGS = tuple(ending.value for ending in Ending)
_ID, _VERSION = re.compile(r"[0-9a-f]{16}", re.ASCII), re.compile(r"[0-9a-f]{12}", re.ASCII)
_MOVES = re.compile(r"([0-9]{1,4}( [0-9]{1,4})*)?", re.ASCII)

# The same rules twice: in SQL, which checks a million rows in seconds, and in Python, which says what is
# wrong with a row that failed. A test keeps them equal. Bots' names are those of the plan, and each name is
# checked once; whether moves are legal is seen when they are replayed. A text is measured in bytes, because
# SQLite stops counting, and comparing by GLOB, at the character NUL.
_TEXT_SQL = "typeof(g.{0}) = 'text' AND length(CAST(g.{0} AS BLOB)) <= {1}"
_WHOLE_SQL = "typeof(g.{0}) = 'integer' AND g.{0} BETWEEN {1} AND {2}"
_SECONDS_SQL = f"typeof(g.{{0}}) IN ('real', 'integer') AND g.{{0}} BETWEEN 0 AND {MOST_SECONDS}"
_BOT_SQL = "typeof(g.{0}) = 'text' AND (plan.{0} = g.{0} OR plan.{0} = g.{0} || '@' || g.{0}_version)"
_MOST = 1 << 53


def _list_words(words: tuple[str, ...]) -> str:
    return ", ".join(f"'{word}'" for word in words)


_ROW_SQL = {
    "game": "typeof(g.game) = 'text' AND length(g.game) = 16 AND g.game NOT GLOB '*[^0-9a-f]*'",
    "variant": "g.variant = plan.variant",
    "opening": "g.opening = plan.opening AND " + _WHOLE_SQL.format("opening", 0, _MOST),
    "repeat": "g.repeat = plan.repeat AND " + _WHOLE_SQL.format("repeat", 0, _MOST),
    "first": _BOT_SQL.format("first"),
    "second": _BOT_SQL.format("second") + " AND g.second <> g.first",
    "first_version": _TEXT_SQL.format("first_version", 12),
    "second_version": _TEXT_SQL.format("second_version", 12),
    "winner": "g.winner IN (g.first, g.second)",
    "ending": f"g.ending IN ({_list_words(_ENDINGS)})",
    "detail": _TEXT_SQL.format("detail", 4 * LONGEST_DETAIL),
    "moves": "typeof(g.moves) = 'text' AND length(CAST(g.moves AS BLOB)) = length(g.moves) "
    f"AND length(g.moves) <= {LONGEST_MOVES} AND g.moves NOT GLOB '*[^0-9 ]*'",
    "opening_plies": _WHOLE_SQL.format("opening_plies", 0, MOST_PLIES),
    "plies": _WHOLE_SQL.format("plies", "g.opening_plies", MOST_CELLS),
    "isolation": f"g.isolation IN ({_list_words(ISOLATIONS)})",
    "first_cpu_seconds": _SECONDS_SQL.format("first_cpu_seconds"),
    "second_cpu_seconds": _SECONDS_SQL.format("second_cpu_seconds"),
    "first_wall_seconds": _SECONDS_SQL.format("first_wall_seconds"),
    "second_wall_seconds": _SECONDS_SQL.format("second_wall_seconds"),
}
assert list(_ROW_SQL) == GAME_COLUMNS

_PLAN_SQL = (
    "typeof(game) = 'text' AND length(game) = 16 AND game NOT GLOB '*[^0-9a-f]*' AND rowid > 0",
    "typeof(opening) = 'integer' AND opening >= 0 AND typeof(repeat) = 'integer' AND repeat >= 0",
    "typeof(first) = 'text' AND typeof(second) = 'text' AND first <> second AND typeof(variant) = 'text'",
    "typeof(cells) = 'text' AND length(CAST(cells AS BLOB)) <= 20 AND cells NOT GLOB '*[^0-9 ]*'",
)
UNSOUND_PLAN = " OR ".join(f"NOT coalesce({condition}, 0)" for condition in _PLAN_SQL)
"""An SQL condition on rows of the plan, played or not, that arena would not have written."""

UNSOUND = " OR ".join(f"NOT coalesce({condition}, 0)" for condition in _ROW_SQL.values())
"""An SQL condition on games of the plan, as `g`, that arena would not have written under `plan`'s ids."""


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
    """Return what is wrong with a row of `games` on its own; None if arena may have written it."""
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
    """StoreError if the games of a log, or its plan, cannot be counted."""
    for fault in _faults(log):
        raise wrong(log.folder, f"{fault}; `arena verify` looks at every game")


def _faults(log: Log) -> Iterator[str]:
    yield from (f"is damaged ({printable(text, 80)})" for text in log.damage())
    for row in log.unsound_games():
        fault = fault_of(row) or "it is not the game that the plan has under that id"
        yield f"game {printable(str(row.game))} is not as arena writes games: {fault}"
    for game in log.unsound_plan():
        yield f"its plan has a game {printable(repr(game))} that is not as arena plans games"
    for game in log.planned_twice():
        yield f"its plan has game {printable(str(game))} twice"
    yield from _strangers(log)


def _strangers(log: Log) -> Iterator[str]:
    """Yield which bots and variants of the plan are not in the field."""
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
    """Return an empty text if the games of a log can be counted, else why not; a cache can keep it."""
    try:
        check_games(log)
    except StoreError as error:
        return str(error)
    return ""
