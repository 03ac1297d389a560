"""A run folder, to be read; also while a run writes it. Every question that is asked of a log is here.

Whoever asks for all games gets them only if they can be counted (`sound`), and whoever asks for one gets it
looked at. `every_row` is for those who look themselves.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from arena.bots.source import MOST_BYTES, NAME
from arena.errors import StoreError, printable
from arena.game.definition import LONGEST, is_variant_name
from arena.log import sound
from arena.log.cache import cached
from arena.log.door import LOG as LOG  # its name is public
from arena.log.door import be_patient, open_for_reading, size_on_disk, told, wrong
from arena.log.field import MOST_BOTS, MOST_VARIANTS, Field, read_field, read_json, read_limits
from arena.referee.game import Limits, Row
from arena.referee.row import GAME_COLUMNS, GameRow

COUNT_COLUMNS = (
    "variant first second winner ending isolation games first_moves second_moves first_cpu_seconds "
    "second_cpu_seconds"
).split()

RESULT_COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]
"""What ratings are computed from: how often `first` won; `mover` is the side to move after the opening."""

LEAST_BYTES = 16
"""A row takes more than this in a file; where there are more rows, pages point back at themselves."""

MOST_SPARE = 10_000
"""Games that rounds may have and the log has not: of a series that was left, or set aside."""

MOST_FACTS = 4_000
MOST_LIMITS = 1_000
MOST_VERSIONS = 1_000
"""Versions of one bot."""

_GAMES = ", ".join(f"g.{column}" for column in GAME_COLUMNS)
_COUNTS = """
SELECT g.variant, {first}, {second}, {winner}, ending, isolation, COUNT(*),
    SUM((plies + 1) / 2 - (opening_plies + 1) / 2), SUM(plies / 2 - opening_plies / 2),
    SUM(first_cpu_seconds), SUM(second_cpu_seconds)
FROM {planned} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6"""
_RESULTS = (
    "SELECT g.variant, g.opening, {first}, {second}, opening_plies % 2, winner = g.first, 1 FROM {planned}"
)
PLANNED = "plan JOIN games AS g USING (game)"
_NAMES = {"first": "g.first", "second": "g.second", "winner": "winner"}
# As the plan calls them, which tells old versions of edited bots apart.
_ENTERED_NAMES = {
    "first": "plan.first",
    "second": "plan.second",
    "winner": "CASE winner WHEN g.first THEN plan.first ELSE plan.second END",
}


class PlannedGame(NamedTuple):
    """One game of the plan, as the log keeps it."""

    game: str
    variant: str
    opening: int
    repeat: int
    first: str  # `name@version` if the bot was changed since its round was planned
    second: str
    cells: str  # of the opening


class StoredBot(NamedTuple):
    """A bot as the log keeps it, before anybody looked at its files."""

    name: str
    version: str
    hash: str
    main: str
    command: str
    source: str | bytes
    files: list[tuple[str, bytes]]


class Log:
    """A run folder, to be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._is_sound = False
        with told(folder):
            self._database = open_for_reading(folder)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return the rows of a query."""
        with told(self.folder):
            return self._execute(query, *values).fetchall()

    def each(self, query: str, *values: object) -> Iterator[Row]:
        """Yield the rows of a query that may be long, and that other questions may come in between."""
        with told(self.folder):
            left = size_on_disk(self.folder / LOG) // LEAST_BYTES
            for row in self._execute(query, *values):
                left -= 1
                if left < 0:
                    raise sqlite3.OperationalError("interrupted")
                yield row

    def _execute(self, query: str, *values: object) -> sqlite3.Cursor:
        be_patient(self._database, self.folder / LOG)
        return self._database.execute(query, values)

    def number(self, query: str, *values: object) -> int:
        """Return the one number that a query asks for."""
        return int(self.rows(query, *values)[0][0] or 0)

    @cached_property
    def _tables(self) -> frozenset[str]:
        return frozenset(name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'"))

    def has(self, table: str) -> bool:
        """Whether this log has a table; those that came later are missing in older ones."""
        return table in self._tables

    def require_sound(self) -> None:
        """StoreError unless all games of this log can be counted; looked at once while it stays as it is."""
        if not self._is_sound:
            why = cached(self.folder, "sound", lambda: sound.is_sound(self))
            if why:
                raise StoreError(why)
            self._is_sound = True

    # What the games were planned and played with.

    def fact(self, name: str) -> str:
        """Return a single value that was noted, or nothing."""
        found = self.rows("SELECT value FROM facts WHERE name = ?", name)
        if found and not isinstance(found[0][0], str):
            raise wrong(self.folder, f"the fact '{printable(name)}' is no text")
        return found[0][0] if found else ""

    @property
    def id_format(self) -> int:
        """How games are named here and seeds drawn; 2 where that was not noted yet, 0 in a new folder."""
        noted = self.fact("id format") or ("2" if self.fact("plan") else "")
        if noted not in ("", "2", "3"):
            raise wrong(
                self.folder, f"its ids have format {printable(noted)}, which this arena does not know"
            )
        return int(noted or 0)

    def field(self) -> Field:
        """Return what the plan was made from; StoreError if nothing was planned here."""
        text = self.fact("field")
        if not text:
            raise StoreError(f"{self.folder}: nothing was planned in it yet")
        try:
            return read_field(text)
        except StoreError as error:
            raise wrong(self.folder, f"the field of its plan is not as arena writes it: {error}") from None

    def limits(self) -> list[Limits]:
        """Return the limits of every run so far, each once."""
        rows = self.rows(f"SELECT DISTINCT limits FROM runs LIMIT {MOST_LIMITS + 1}")
        read = [read_limits(read_json(text)) for (text,) in rows if isinstance(text, str)]
        found = [limits for limits in read if limits is not None]
        if len(found) < len(rows) or len(rows) > MOST_LIMITS:
            raise wrong(self.folder, "the limits of its runs are not as arena writes them")
        return found

    def bots(self) -> list[tuple[str, str, str]]:
        """Return the names, versions and full hashes of all bots; whether they are those of their files is
        looked at when these are read."""
        query = "SELECT name, version, hash FROM bots ORDER BY rowid LIMIT ?"
        found = [(name, version, full) for name, version, full in self.rows(query, MOST_BOTS + 1)]
        versions = Counter(name for name, *_ in found)
        if not all(map(_is_bot, found)) or max(versions.values(), default=0) > MOST_VERSIONS:
            raise wrong(self.folder, "its bots are not as arena writes them")
        if len(found) > MOST_BOTS or len(found) > len({(name, version) for name, version, _ in found}):
            raise wrong(self.folder, "it has too many bots, or two of one name and version")
        return found

    def unrepeatable(self) -> list[tuple[str, str]]:
        """Return the names and hashes of bots whose games cannot be repeated."""
        return [
            (name, full)
            for name, full in self.rows("SELECT name, hash FROM bots WHERE is_repeatable = 0 ORDER BY name")
            if isinstance(name, str)
        ]

    def stored_bot(self, name: str, version: str) -> StoredBot:
        """Return a bot's files as they are stored; StoreError if there are none."""
        query = "SELECT hash, main, command, source FROM bots WHERE name = ? AND version = ? LIMIT 2"
        found = self.rows(query, name, version)
        if not found:
            raise wrong(self.folder, f"the source of {printable(name)} {printable(version)} is not in it")
        if len(found) > 1:
            raise wrong(self.folder, f"it has two sources of {printable(name)} {printable(version)}")
        full, main, command, source = found[0]
        size = self.number("SELECT SUM(length(data)) FROM files WHERE hash = ?", full)
        if size > MOST_BYTES:  # looked at first: a page that is its own successor makes a file look endless
            raise wrong(self.folder, f"the source of {name} {version} in it is larger than any bot's")
        files = self.rows("SELECT path, data FROM files WHERE hash = ? LIMIT ?", full, MOST_FACTS)
        return StoredBot(name, version, full, main, command, source, files)

    def variants(self) -> list[tuple[str, str, str]]:
        """Return the names, versions and definitions of all variants, the newest last."""
        query = "SELECT name, version, definition FROM variants ORDER BY rowid LIMIT ?"
        found = [(name, version, text) for name, version, text in self.rows(query, MOST_VARIANTS + 1)]
        if len(found) > MOST_VARIANTS or not all(map(_is_variant, found)):
            raise wrong(self.folder, "its variants are not as arena writes them")
        return found

    def definition(self, name: str, version: str) -> str:
        """Return the definition of a variant; StoreError if the folder does not hold it."""
        found = self.rows("SELECT definition FROM variants WHERE name = ? AND version = ?", name, version)
        if not found or not isinstance(found[0][0], str):
            raise wrong(self.folder, f"the definition of {printable(name)} is not in it")
        return str(found[0][0])

    def openings(self, variant: str, version: str, seed: int) -> list[Row]:
        """Return the frozen openings of a variant: number, cells, whether the side to move wins."""
        query = (
            "SELECT opening, cells, is_won FROM openings WHERE variant = ? AND version = ? AND seed = ? "
            "ORDER BY opening"
        )
        return self.rows(query, variant, version, seed)

    def seeds(self) -> list[int]:
        """Return the seeds that openings were drawn with."""
        found = [seed for (seed,) in self.rows("SELECT DISTINCT seed FROM openings LIMIT ?", MOST_FACTS + 1)]
        if len(found) > MOST_FACTS or not all(type(seed) is int and 0 <= seed < 1 << 53 for seed in found):
            raise wrong(self.folder, "the seeds of its openings are not as arena writes them")
        return found

    def rounds(self, series: str) -> list[Row]:
        """Return the frozen pairings of a series in order: round, both bots with versions, start, count."""
        if not self.has("rounds"):
            return []  # a log that was begun before there were rounds, and is only read
        query = (
            "SELECT round, one, one_version, other, other_version, start, count FROM rounds "
            "WHERE series = ? ORDER BY round, rowid"
        )
        found = self.rows(query, series)
        if not all(map(_is_pairing, found)) or _has_sheets_twice(found) or not self._has_games_for(found):
            raise wrong(self.folder, "its rounds are not as arena writes them")
        return found

    def _has_games_for(self, pairings: list[Row]) -> bool:
        """Whether there are about as many games as rounds were frozen for; one sheet has at least two."""
        games = 2 * sum(count for *_, count in pairings)
        furthest = 2 * max((start + count for *_, start, count in pairings), default=0)
        most = max(games, furthest)
        return bool(most <= MOST_SPARE or most <= MOST_SPARE + self.planned + self.in_all)

    # The plan.

    @property
    def planned(self) -> int:
        """How many games the plan has."""
        return self.number("SELECT SUM(1) FROM plan")

    def planned_on(self, hidden: frozenset[str]) -> int:
        """Return how many games the plan has without those on some variants."""
        marks = ", ".join("?" * len(hidden))
        return self.number(f"SELECT SUM(1) FROM plan WHERE variant NOT IN ({marks})", *hidden)

    def planned_ids(self) -> set[str]:
        """Return the ids of the plan's games."""
        return {game for (game,) in self.each("SELECT game FROM plan")}

    def planned_game(self, game: str) -> PlannedGame | None:
        """Return a game of the plan by its id; None if it has none."""
        found = self.rows("SELECT * FROM plan WHERE game = ? LIMIT 1", game)
        return PlannedGame(*found[0]) if found else None

    def planned_games(self) -> Iterator[PlannedGame]:
        """Yield the games of the plan in its order."""
        return (PlannedGame(*row) for row in self.each("SELECT * FROM plan ORDER BY rowid"))

    def planned_bots(self) -> list[str]:
        """Return everybody whom the plan names."""
        return [bot for (bot,) in self.rows("SELECT first FROM plan UNION SELECT second FROM plan")]

    def planned_variants(self) -> list[str]:
        """Return the variants that the plan names."""
        return [name for (name,) in self.rows("SELECT DISTINCT variant FROM plan")]

    # What was played.

    @property
    def played(self) -> int:
        """How many games of the plan are in the log."""
        return self.number(f"SELECT SUM(1) FROM {PLANNED}")

    @property
    def in_all(self) -> int:
        """How many games are in the log, in the plan or not."""
        return self.number("SELECT SUM(1) FROM games")

    @property
    def trusted(self) -> int:
        """How many games of the plan were not played sandboxed."""
        return self.number(
            "SELECT SUM(1) FROM games WHERE isolation <> 'sandboxed' AND game IN (SELECT game FROM plan)"
        )

    @property
    def voids(self) -> int:
        """How many games of the plan were spoilt by our own fault and never played since."""
        return self.number(
            "SELECT COUNT(DISTINCT game) FROM voids WHERE game IN (SELECT game FROM plan) "
            "AND game NOT IN (SELECT game FROM games)"
        )

    def replays(self) -> list[Row]:
        """Return which games of the plan had to be played again: game, bot at fault or nobody, whether it
        then lost that game by a forfeit."""
        if not self.has("replays"):
            return []
        query = """SELECT r.game, r.bot, MAX(g.ending <> 'no-moves' AND g.winner <> r.bot)
            FROM replays AS r JOIN games AS g USING (game) WHERE r.game IN (SELECT game FROM plan)
            GROUP BY 1, 2 ORDER BY 1, 2"""
        return [row for row in self.rows(query) if isinstance(row[1], str)]

    def counts(self, is_entered: bool = False) -> list[Row]:
        """Return the games of the plan, counted: rows of `COUNT_COLUMNS`.

        With `is_entered` bots have the names that the plan has for them: `name@version` for old versions.
        """
        self.require_sound()
        return self.rows(self._of_plan(_COUNTS, is_entered))

    def results(self, is_entered: bool = False, without_forfeits: bool = False) -> Iterator[Row]:
        """Yield the games of the plan as ratings need them: rows of `RESULT_COLUMNS`."""
        self.require_sound()
        played_out = " WHERE ending = 'no-moves'" if without_forfeits else ""
        return self.each(self._of_plan(_RESULTS, is_entered) + played_out)

    def _of_plan(self, query: str, is_entered: bool) -> str:
        if is_entered:
            return query.format(planned=PLANNED, **_ENTERED_NAMES)
        # Without the join it takes half the time, and mostly every game in the log is in the plan.
        is_all = cached(self.folder, "is all planned", lambda: self.played == self.in_all)
        return query.format(planned="games AS g" if is_all else PLANNED, **_NAMES)

    def games(self, bot: str = "", variant: str = "", forfeits: bool = False) -> Iterator[GameRow]:
        """Yield the games of the plan in its order."""
        self.require_sound()
        conditions, values = ["1"], []
        if bot:
            conditions.append("(g.first = ? OR g.second = ?)")
            values += [bot, bot]
        if variant:
            conditions.append("g.variant = ?")
            values.append(variant)
        if forfeits:
            conditions.append("g.ending <> 'no-moves'")
        if forfeits and bot:
            conditions.append("g.winner <> ?")  # its own forfeits, not those of its opponents
            values.append(bot)
        where = " AND ".join(conditions)
        query = f"SELECT {_GAMES} FROM {PLANNED} WHERE {where} ORDER BY plan.rowid"
        return map(GameRow._make, self.each(query, *values))

    def games_by_id(self) -> Iterator[GameRow]:
        """Yield the games of the plan in the order of their ids."""
        self.require_sound()
        return map(GameRow._make, self.each(f"SELECT {_GAMES} FROM {PLANNED} ORDER BY g.game"))

    def moves(self) -> Iterator[Row]:
        """Yield variant, both bots as the plan calls them, and moves of the plan's games."""
        self.require_sound()
        return self.each(f"SELECT g.variant, plan.first, plan.second, moves FROM {PLANNED}")

    def found(self, game: str) -> list[GameRow]:
        """Return the games, planned or not, whose id begins so; two at most."""
        query = f"SELECT {_GAMES} FROM games AS g WHERE g.game >= ? AND g.game < ? LIMIT 2"
        return [sound.check_row(self, GameRow(*row)) for row in self.rows(query, game, game + "g")]

    def winner(self, game: str) -> str | None:
        """Return who won a game; None if it was not played."""
        found = self.rows("SELECT winner FROM games WHERE game = ?", game)
        return str(found[0][0]) if found else None

    def known_games(self, isolation: str) -> Iterator[Row]:
        """Yield the games that count where this isolation is asked for: id, both bots and the ending."""
        self.require_sound()
        query = "SELECT game, first, second, ending FROM games WHERE isolation = 'sandboxed' OR ? = 'trusted'"
        return self.each(query, isolation)

    def forfeits_by_kind(self) -> dict[tuple[str, str, str], int]:
        """Return how many forfeits of each bot, variant and ending there are."""
        rows = self.rows(
            "SELECT CASE winner WHEN first THEN second ELSE first END, variant, ending, COUNT(*) FROM games "
            "WHERE ending <> 'no-moves' GROUP BY 1, 2, 3"
        )
        return {(loser, variant, ending): count for loser, variant, ending, count in rows}

    # For those who look themselves.

    def every_row(self) -> Iterator[GameRow]:
        """Yield all games, planned or not, as they stand there and whatever they say."""
        return map(GameRow._make, self.each(f"SELECT {_GAMES} FROM games AS g"))

    def damage(self) -> list[str]:
        """Return what SQLite finds wrong with the file; nothing if it is whole."""
        try:
            return [str(text) for (text,) in self.rows("PRAGMA integrity_check(3)") if text != "ok"]
        except StoreError as error:
            return [str(error)]

    def unsound_games(self) -> list[GameRow]:
        """Return a game of the plan that arena would not have written under its id, if there is one."""
        query = f"SELECT {_GAMES} FROM {PLANNED} WHERE {sound.UNSOUND} LIMIT 1"
        return [GameRow(*row) for row in self.rows(query)]

    def unsound_plan(self) -> list[object]:
        """Return the id of a row of the plan that arena would not have written, if there is one."""
        return [game for (game,) in self.rows(f"SELECT game FROM plan WHERE {sound.UNSOUND_PLAN} LIMIT 1")]

    def planned_twice(self) -> list[object]:
        """Return a game that the plan has more than once, if there is one."""
        query = "SELECT game FROM plan GROUP BY game HAVING COUNT(*) > 1 LIMIT 1"
        return [game for (game,) in self.rows(query)]


_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


def _is_bot(row: Row) -> bool:
    name, version, full = row
    return (
        all(isinstance(part, str) for part in row)
        and NAME.fullmatch(name) is not None
        and _HASH.fullmatch(full) is not None
        and version == full[:12]
    )


def _is_variant(row: Row) -> bool:
    name, version, definition = row
    return is_variant_name(name) and isinstance(version, str) and _is_short(definition)


def _is_short(definition: object) -> bool:
    return isinstance(definition, str) and len(definition) <= LONGEST


def _is_pairing(row: Row) -> bool:
    number, one, one_version, other, other_version, start, count = row
    words = (one, one_version, other, other_version)
    numbers = (number, start, count)
    return (
        all(isinstance(word, str) and NAME.fullmatch(word) for word in words)
        and one != other
        and all(type(part) is int and 0 <= part <= 1 << 31 for part in numbers)
        and count > 0
    )


def _has_sheets_twice(pairings: list[Row]) -> bool:
    """Whether two pairings of the same bots have a sheet in common, whose games would count twice."""
    sheets = sorted((sorted((row[1:3], row[3:5])), *row[5:]) for row in pairings)
    return any(
        bots == next_bots and next_start < start + count
        for (bots, start, count), (next_bots, next_start, _) in pairwise(sheets)
    )
