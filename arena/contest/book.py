"""The book: the one database of the contests of a folder, with tokens, uploads and the organiser's deeds.

It is the whole truth about them: sources are in it as bytes. What `receive` has returned for is on disk, and
stays there after kill -9 and a power cut. Nothing secret is in it, but for the sources of bots: of tokens it
has the hashes. It is never in a run folder, and only its owner can read it.

Refused: a folder of uploaded files, with a database beside it that says what they are. After a crash the two
would have to be compared.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.bots.source import Source, check_files
from arena.contest.deeds import DeedBook, say_withdrawn, stand_after
from arena.contest.token_book import TokenBook
from arena.contest.tokens import Token
from arena.errors import Refused, StoreError, printable
from arena.field import MOST_BOTS
from arena.log.inventory import MOST_VERSIONS

if TYPE_CHECKING:
    from arena.checking.check import Step

WAITING, FAILED, ENTERED = "waiting", "failed", "entered"
"""The states of an upload: before its check, and after it."""

HOUR_SECONDS = 3600.0
MOST_IN_AN_HOUR = 10
MOST_WAITING = 64
MOST_ENTERED = MOST_VERSIONS // 2
"""Versions of one bot that play in a tournament: its log keeps all of them, and is no log with too many."""

MOST_ENTERED_IN_ALL = MOST_BOTS // 2
MOST_KEPT_BYTES = 256 << 20
"""Of all that one participant has handed in to a tournament; what has failed counts until the next upload."""

LONGEST_TEXT = 20_000
"""Characters of each text of a step; what a bot prints has a limit of its own."""

_UPLOAD = "id, tournament, name, version, received_at, state, steps"


@dataclass(frozen=True)
class Upload:
    """A bot that was handed in: when, in which state it is, and the steps of its check so far."""

    id: int
    tournament: str
    name: str
    version: str
    received_at: float
    state: str
    steps: tuple[Step, ...]
    book: Book = field(repr=False, compare=False)

    @property
    def source(self) -> Source:
        """Its files, read from the book; StoreError if they are not kept, as of an old one that failed."""
        return self.book.read_source(self.id)


class Entered(NamedTuple):
    """A bot that plays: its name, and which upload and version of it that is."""

    name: str
    id: int
    version: str


class Book(TokenBook, DeedBook):
    """The book of a folder; StoreError says what is wrong if it cannot be read or written."""

    def receive(
        self, tournament: str, name: str, source: Source, at: float, token: Token | None = None
    ) -> Upload:
        """Keep a bot that was handed in, and return it when it is on disk; Refused if it is not taken now.

        `token` let it in when it began to come, which may be a minute ago; it must still be good.
        """
        if wrong := check_files(source.files, source.main):
            raise Refused(f"{printable(name)}: {wrong}")
        size = sum(map(len, source.files.values()))
        with self._change():
            if token is not None and token not in self.tokens():
                raise Refused("this token was revoked or replaced while the file came; ask the organiser")
            self._drop_failed(tournament, name)
            if why := self._find_refusal(tournament, name, source.version, size, at):
                raise Refused(why)
            asked = (
                "INSERT INTO uploads (tournament, name, version, main, bytes, received_at, state, steps) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, '[]')"
            )
            row = (tournament, name, source.version, source.main, size, at, WAITING)
            number = self._database.execute(asked, row).lastrowid
            assert number is not None
            files = [(number, path, data) for path, data in source.files.items()]
            self._database.executemany("INSERT INTO files VALUES (?, ?, ?)", files)
        return Upload(number, tournament, name, source.version, at, WAITING, (), self)

    def _find_refusal(self, tournament: str, name: str, version: str, size: int, at: float) -> str | None:
        mine = [each for each in self._list("name = ?", name) if each.tournament == tournament]
        entered = [each.version for each in mine if each.state == ENTERED]
        since = "SELECT COUNT(*), MIN(received_at) FROM uploads WHERE name = ? AND received_at > ?"
        [(recent, first)] = self._ask(since, name, at - HOUR_SECONDS)
        [(waiting,)] = self._ask("SELECT COUNT(*) FROM uploads WHERE state = ?", WAITING)
        kept = "SELECT COALESCE(SUM(LENGTH(data)), 0) FROM files JOIN uploads ON id = upload "
        [(stored,)] = self._ask(f"{kept} WHERE tournament = ? AND name = ?", tournament, name)
        deeds = self.deeds(tournament)
        standing = stand_after(deeds)
        if standing.is_closed:
            return "the tournament is closed; nothing more can be handed in"
        if name in standing.withdrawn:
            return f"{name} {say_withdrawn(deeds, name)}; ask there"
        if any(each.state == WAITING for each in mine):
            return (
                "your last upload still waits for its check: one at a time. Send this one when that is done"
            )
        if entered[-1:] == [version]:
            return f"this is what {name} has entered already (version {version[:12]}); nothing has changed"
        if recent >= MOST_IN_AN_HOUR:
            minutes = max(1, round((first + HOUR_SECONDS - at) / 60))
            return f"{MOST_IN_AN_HOUR} uploads an hour are enough; send it again in {minutes} min"
        if waiting >= MOST_WAITING:
            return f"{waiting} uploads wait for their check; send it again in some minutes"
        if stored + size > MOST_KEPT_BYTES:
            left = (MOST_KEPT_BYTES - stored) / (1 << 20)
            return (
                f"{MOST_KEPT_BYTES >> 20} MiB are kept for one participant, all versions together, and "
                f"{left:.1f} MiB of that are left; send a smaller bot"
            )
        return None if version in entered else self._find_too_many(tournament, name)

    def _find_too_many(self, tournament: str, name: str) -> str | None:
        """Return why no version more can play; None if it can. What plays already goes on."""
        counted = "SELECT COUNT(*), COALESCE(SUM(name = ?), 0) FROM (SELECT DISTINCT name, version "
        asked = f"{counted} FROM uploads WHERE tournament = ? AND state = ?)"
        [(in_all, mine)] = self._ask(asked, name, tournament, ENTERED)
        if mine >= MOST_ENTERED:
            return f"{MOST_ENTERED} versions of {name} have played, and no more can; the last one goes on"
        if in_all >= MOST_ENTERED_IN_ALL:
            return f"{in_all:,} versions of all bots have played, and no more can; yours goes on as it is"
        return None

    def _drop_failed(self, tournament: str, name: str) -> None:
        """Remove the bytes of what has failed; how it failed stays."""
        failed = "SELECT id FROM uploads WHERE tournament = ? AND name = ? AND state = ?"
        self._ask(f"DELETE FROM files WHERE upload IN ({failed})", tournament, name, FAILED)

    def next_waiting(self, tournament: str) -> Upload | None:
        """Return the oldest upload that was not checked yet; None if there is none."""
        found = self._list("tournament = ? AND state = ? ORDER BY id LIMIT 1", tournament, WAITING)
        return found[0] if found else None

    def count_ahead(self, upload: Upload) -> int:
        """Return how many uploads of its tournament wait before this one."""
        asked = "SELECT COUNT(*) FROM uploads WHERE tournament = ? AND state = ? AND id < ?"
        [(count,)] = self._ask(asked, upload.tournament, WAITING, upload.id)
        return int(count)

    def count_waiting(self, tournament: str) -> int:
        """Return how many uploads of a tournament wait for their check."""
        asked = "SELECT COUNT(*) FROM uploads WHERE tournament = ? AND state = ?"
        [(count,)] = self._ask(asked, tournament, WAITING)
        return int(count)

    def note_verdict(self, upload_id: int, steps: Sequence[Step], is_passed: bool) -> None:
        """Write down how a check ended; of an upload that waits, and once."""
        texts = json.dumps([[_shorten(each) for each in step] for step in steps])
        state = ENTERED if is_passed else FAILED
        with self._change():
            asked = "UPDATE uploads SET state = ?, steps = ? WHERE id = ? AND state = ?"
            self._ask(asked, state, texts, upload_id, WAITING)

    def uploads(self, tournament: str, name: str | None = None) -> list[Upload]:
        """Return what was handed in to a tournament, by everybody or under one name; the oldest first."""
        if name is None:
            return self._list("tournament = ? ORDER BY id", tournament)
        return self._list("tournament = ? AND name = ? ORDER BY id", tournament, name)

    def find_upload(self, upload_id: int) -> Upload | None:
        """Return one upload as it is now; None if there is none of that number."""
        return next(iter(self._list("id = ?", upload_id)), None)

    def read_source(self, upload_id: int) -> Source:
        """Return the files of an upload; StoreError if they are not kept, or not as they were received."""
        with self._lock:
            found = self._ask("SELECT name, main, version FROM uploads WHERE id = ?", upload_id)
            files = dict(self._ask("SELECT path, data FROM files WHERE upload = ?", upload_id))
        for name, main, version in found:
            source = Source(name, main, files)
            if not check_files(files, main) and source.version == version:
                return source
        raise StoreError(f"{self.file}: the files of upload {upload_id} are not in it, or not as they were")

    def entered(self, tournament: str) -> list[Source]:
        """Return the bots that play, in order of entry, with their files."""
        return [self.read_source(each.id) for each in self.entered_uploads(tournament)]

    def entered_uploads(self, tournament: str) -> list[Entered]:
        """Return the bots that play: the newest passed upload of each name, in order of their first one.

        It is asked every few seconds for everybody who follows a bot, so no steps of checks are read.
        """
        asked = "SELECT name, id, version FROM uploads WHERE tournament = ? AND state = ? ORDER BY id"
        passed = [Entered(*row) for row in self._ask(asked, tournament, ENTERED)]
        newest = {each.name: each for each in passed}  # each name stays where it was first
        withdrawn = self.standing(tournament).withdrawn
        return [each for name, each in newest.items() if name not in withdrawn]

    def _list(self, which: str, *values: Any) -> list[Upload]:
        from arena.checking.check import Step  # costs a start of `arena token` nothing here

        found = self._ask(f"SELECT {_UPLOAD} FROM uploads WHERE {which}", *values)
        return [
            Upload(
                number,
                tournament,
                name,
                version,
                at,
                state,
                tuple(Step(*step) for step in json.loads(steps)),
                self,
            )
            for number, tournament, name, version, at, state, steps in found
        ]


def _shorten(text: str | bool) -> str | bool:
    return text[:LONGEST_TEXT] if isinstance(text, str) else text
