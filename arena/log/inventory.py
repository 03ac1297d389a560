"""What the games of a log were planned and played with: field, limits, bots, variants, openings, rounds."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from arena.bots.source import MOST_BYTES, NAME
from arena.errors import StoreError, printable
from arena.field import MOST_BOTS, MOST_VARIANTS, Field, read_field, read_json, read_limits
from arena.game.definition import LONGEST, is_variant_name
from arena.log.asking import Asking
from arena.log.door import wrong
from arena.referee.game import Limits, Row

MOST_SPARE = 10_000
"""How many games of frozen rounds may be missing from the log: of a series that was left, or set aside."""

MOST_FACTS = 4_000
MOST_LIMITS = 1_000
MOST_VERSIONS = 1_000
"""The most versions of one bot."""


SITTINGS = "sittings"
"""The fact that tells the games of the last sittings from those before."""

CONTEST, OPEN, CLOSED = "contest", "open", "closed"
"""The fact that says whether a contest goes on: bots may still enter, however often all games are played."""

_SITTINGS = re.compile(r"[0-9]{1,15} [0-9]{1,15}", re.ASCII)


class StoredBot(NamedTuple):
    """A bot as the log keeps it, before its files are checked."""

    name: str
    version: str
    hash: str
    main: str
    command: str
    source: str | bytes
    files: list[tuple[str, bytes]]


class Inventory(Asking):
    """What is kept beside the games; it is checked when it is read."""

    def fact(self, name: str) -> str:
        """Return a single value that was noted, or nothing."""
        found = self.rows("SELECT value FROM facts WHERE name = ?", name)
        if found and not isinstance(found[0][0], str):
            raise wrong(self.folder, f"the fact '{printable(name)}' is not a text")
        return found[0][0] if found else ""

    @property
    def is_open(self) -> bool:
        """Whether these are the games of a contest that its organiser has not closed yet."""
        return self.fact(CONTEST) == OPEN

    @property
    def id_format(self) -> int:
        """How games get their ids and seeds here; 2 if that was not noted yet, 0 in a new folder."""
        noted = self.fact("id format") or ("2" if self.fact("plan") else "")
        if noted not in ("", "2", "3"):
            raise wrong(
                self.folder, f"its ids have format {printable(noted)}, which this arena does not know"
            )
        return int(noted or 0)

    @property
    def drawing(self) -> int:
        """How openings are told apart here; 1 where that was not noted yet."""
        noted = self.fact("drawing") or "1"
        if noted not in ("1", "2"):
            what = f"its openings are drawn by rule {printable(noted)}, which this arena does not know"
            raise wrong(self.folder, what)
        return int(noted)

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

    def config(self) -> str:
        """Return the text of the tournament file of the last run; empty if there is none."""
        found = self.rows("SELECT config FROM runs ORDER BY run DESC LIMIT 1")
        return found[0][0] if found and isinstance(found[0][0], str) else ""

    @property
    def played_at(self) -> str:
        """When the last run ended, or began if it has not ended; empty if there is none."""
        found = self.rows("SELECT ifnull(ended_at, started_at) FROM runs ORDER BY run DESC LIMIT 1")
        return str(found[0][0]) if found else ""

    @property
    def sittings(self) -> tuple[int, int]:
        """The last rows of `games` before the last two sittings that began with different ones; 0 if there
        were none."""
        noted = self.fact(SITTINGS) or "0 0"
        if not _SITTINGS.fullmatch(noted):
            raise wrong(self.folder, "its sittings are not as arena writes them")
        earlier, last = map(int, noted.split())
        return earlier, last

    def bots(self) -> list[tuple[str, str, str]]:
        """Return the names, versions and full hashes of all bots; the hashes are checked when the files are
        read."""
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
        if size > MOST_BYTES:  # checked first: a page that is its own successor makes a file look endless
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
        """Return the definition of a variant; StoreError if it is not in the folder."""
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
        """Return the seeds with which openings were drawn."""
        found = [seed for (seed,) in self.rows("SELECT DISTINCT seed FROM openings LIMIT ?", MOST_FACTS + 1)]
        if len(found) > MOST_FACTS or not all(type(seed) is int and 0 <= seed < 1 << 53 for seed in found):
            raise wrong(self.folder, "the seeds of its openings are not as arena writes them")
        return found

    def rounds(self, series: str) -> list[Row]:
        """Return the frozen pairings of a series in order: round, both bots with versions, start, count."""
        if not self.has("rounds"):
            return []  # a log from before there were rounds, which is only read
        query = (
            "SELECT round, one, one_version, other, other_version, start, count FROM rounds "
            "WHERE series = ? ORDER BY round, rowid"
        )
        found = self.rows(query, series)
        if not all(map(_is_pairing, found)) or _has_sheets_twice(found) or not self._has_games_for(found):
            raise wrong(self.folder, "its rounds are not as arena writes them")
        return found

    @property
    def planned(self) -> int:
        """How many games the plan has."""
        return self.number("SELECT SUM(1) FROM plan")

    @property
    def in_all(self) -> int:
        """How many games are in the log, in the plan or not."""
        return self.number("SELECT SUM(1) FROM games")

    def _has_games_for(self, pairings: list[Row]) -> bool:
        """Whether there are about as many games as the frozen rounds need; one sheet has at least two."""
        games = 2 * sum(count for *_, count in pairings)
        furthest = 2 * max((start + count for *_, start, count in pairings), default=0)
        most = max(games, furthest)
        return bool(most <= MOST_SPARE or most <= MOST_SPARE + self.planned + self.in_all)


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
    """Whether two pairings of the same bots share a sheet, whose games would then count twice."""
    sheets = sorted((sorted((row[1:3], row[3:5])), *row[5:]) for row in pairings)
    return any(
        bots == next_bots and next_start < start + count
        for (bots, start, count), (next_bots, next_start, _) in pairwise(sheets)
    )
