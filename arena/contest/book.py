"""The book: the one database of the contests of a folder, with tokens, uploads and the organiser's deeds.

It is the whole truth about them: sources are in it as bytes. What `receive` has returned for is on disk, and
stays there after kill -9 and a power cut. Several threads and processes may use a book at once, such as
`arena serve` and `arena token`: every change is one transaction that looks again at what it depends on.

Nothing secret is in it, but for the sources of bots: of tokens it has the hashes. It is never in a run
folder, and only its owner can read it. Refused: a folder of uploaded files, with a database beside it that
says what they are. After a crash the two would have to be compared.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.bots.source import Source, check_files
from arena.contest.tables import FILE, FOLDER, explain_errors, open_book
from arena.contest.tokens import PARTICIPANT, ROLES, Token, hash_secret, make_secret, refuse_token_name
from arena.errors import Refused, StoreError, UserError, printable

if TYPE_CHECKING:
    from arena.checking.check import Step

WAITING, FAILED, ENTERED = "waiting", "failed", "entered"
"""The states of an upload: before its check, and after it."""

PAUSE, RESUME, WITHDRAW, READMIT = "pause", "resume", "withdraw", "readmit"
CLOSE, REOPEN = "close", "reopen"
"""Deeds that the book itself understands; the last word counts."""

HOUR_SECONDS = 3600.0
MOST_IN_AN_HOUR = 10
MOST_WAITING = 64
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


class Deed(NamedTuple):
    """What an organiser has done, to whom and why."""

    at: float
    who: str
    what: str
    subject: str
    reason: str


class Book:
    """The book of a folder; StoreError says what is wrong if it cannot be read or written."""

    def __init__(self, base: Path) -> None:
        self.file = base / FOLDER / FILE
        self._lock = threading.RLock()
        with explain_errors(self.file):
            self._database = open_book(base)

    def close(self) -> None:
        """Close it; nothing is lost without that."""
        with self._lock:
            self._database.close()

    # Tokens.

    def make_token(self, name: str, role: str = PARTICIPANT, replace: bool = False) -> str:
        """Return the secret of a new token; UserError if the name has one, unless that is to be replaced."""
        [secret] = self.make_tokens([name], role, replace).values()
        return secret

    def make_tokens(
        self, names: Sequence[str], role: str = PARTICIPANT, replace: bool = False
    ) -> dict[str, str]:
        """Return the secrets of new tokens by name: of all of them, or UserError and of none."""
        assert role in ROLES
        made = {name: make_secret() for name in names}
        wrong = list(filter(None, map(refuse_token_name, names)))
        with self._change():
            known = {token.name.lower(): token for token in self.tokens()}
            # A bot that was handed in is called as its token was: one more spelling would be one more bot.
            spelt = {lower: token.name for lower, token in known.items()}
            taken = [known[name.lower()] for name in names if name.lower() in known]
            wrong += [_say_taken(token) for token in taken if not replace]
            wrong += [
                f"{token.name} has a token as {token.role}"
                for token in taken
                if replace and token.role != role
            ]
            if wrong:
                raise UserError("; ".join(wrong))
            made = {spelt.get(name.lower(), name): secret for name, secret in made.items()}
            for name, secret in made.items():
                row = (name, role, hash_secret(secret), time.time())
                self._ask("DELETE FROM tokens WHERE name = ?", name)
                self._ask("INSERT INTO tokens VALUES (?, ?, ?, ?, NULL)", *row)
        return made

    def revoke(self, name: str) -> bool:
        """Make a token worthless; False if there is none that is good."""
        with self._change():
            asked = "UPDATE tokens SET revoked_at = ? WHERE name = ? AND revoked_at IS NULL"
            return self._database.execute(asked, (time.time(), name)).rowcount == 1

    def tokens(self) -> list[Token]:
        """Return all tokens by name, those that are revoked too."""
        return [
            Token(*row)
            for row in self._ask("SELECT name, role, made_at, revoked_at FROM tokens ORDER BY name")
        ]

    def whose(self, secret: str) -> Token | None:
        """Return the token with this secret; None if there is none, or it is revoked."""
        asked = "SELECT name, role, made_at, revoked_at FROM tokens WHERE hash = ? AND revoked_at IS NULL"
        return next((Token(*row) for row in self._ask(asked, hash_secret(secret))), None)

    # Uploads.

    def receive(self, tournament: str, name: str, source: Source, at: float) -> Upload:
        """Keep a bot that was handed in, and return it when it is on disk; Refused if it is not taken now."""
        if wrong := check_files(source.files, source.main):
            raise Refused(f"{printable(name)}: {wrong}")
        size = sum(map(len, source.files.values()))
        with self._change():
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
        entered = [each.version for each in mine if each.state == ENTERED][-1:]
        since = "SELECT COUNT(*), MIN(received_at) FROM uploads WHERE name = ? AND received_at > ?"
        [(recent, first)] = self._ask(since, name, at - HOUR_SECONDS)
        [(waiting,)] = self._ask("SELECT COUNT(*) FROM uploads WHERE state = ?", WAITING)
        kept = "SELECT COALESCE(SUM(LENGTH(data)), 0) FROM files JOIN uploads ON id = upload "
        [(stored,)] = self._ask(f"{kept} WHERE tournament = ? AND name = ?", tournament, name)
        if self.is_closed(tournament):
            return "the tournament is closed; nothing more can be handed in"
        if name in self.withdrawn(tournament):
            return f"{name} was withdrawn by the organiser; ask there"
        if any(each.state == WAITING for each in mine):
            return (
                "your last upload still waits for its check: one at a time. Send this one when that is done"
            )
        if entered == [version]:
            return f"this is what {name} has entered already (version {version[:12]}); nothing has changed"
        if recent >= MOST_IN_AN_HOUR:
            minutes = max(1, round((first + HOUR_SECONDS - at) / 60))
            return f"{MOST_IN_AN_HOUR} uploads an hour are enough; send it again in {minutes} min"
        if waiting >= MOST_WAITING:
            return f"{waiting} uploads wait for their check; send it again in some minutes"
        if stored + size > MOST_KEPT_BYTES:
            return f"you have handed in {stored >> 20} MiB of bots; no more are kept for one participant"
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
        """Return the bots that play: the newest passed upload of each name, in order of their first one."""
        return [each.source for each in self.entered_uploads(tournament)]

    def entered_uploads(self, tournament: str) -> list[Upload]:
        """Return the uploads of the bots that play, in order of entry, without reading their files."""
        passed = self._list("tournament = ? AND state = ? ORDER BY id", tournament, ENTERED)
        newest = {each.name: each for each in passed}  # each name stays where it was first
        return [each for name, each in newest.items() if name not in self.withdrawn(tournament)]

    # Deeds.

    def note_deed(
        self,
        tournament: str,
        who: str,
        what: str,
        subject: str = "",
        reason: str = "",
        at: float | None = None,
    ) -> None:
        """Write down what an organiser has done."""
        row = (tournament, time.time() if at is None else at, who, what, subject, reason)
        with self._change():
            asked = "INSERT INTO deeds (tournament, at, who, what, subject, reason) VALUES (?, ?, ?, ?, ?, ?)"
            self._ask(asked, *row)

    def deeds(self, tournament: str) -> list[Deed]:
        """Return what organisers have done in a tournament, the oldest first."""
        asked = "SELECT at, who, what, subject, reason FROM deeds WHERE tournament = ? ORDER BY id"
        return [Deed(*row) for row in self._ask(asked, tournament)]

    def is_paused(self, tournament: str) -> bool:
        """Whether an organiser has paused it, and nobody has resumed it since."""
        return [deed.what for deed in self.deeds(tournament) if deed.what in (PAUSE, RESUME)][-1:] == [PAUSE]

    def is_closed(self, tournament: str) -> bool:
        """Whether an organiser has closed it, and nobody has opened it again since."""
        return [deed.what for deed in self.deeds(tournament) if deed.what in (CLOSE, REOPEN)][-1:] == [CLOSE]

    def withdrawn(self, tournament: str) -> set[str]:
        """Return the names of the bots that an organiser has taken out and not let in again."""
        words = (deed for deed in self.deeds(tournament) if deed.what in (WITHDRAW, READMIT))
        last = {deed.subject: deed.what for deed in words}
        return {name for name, what in last.items() if what == WITHDRAW}

    @property
    def state(self) -> tuple[int, int]:
        """Two numbers that change whenever anybody writes; they cost next to nothing."""
        with self._lock:
            [(others,)] = self._ask("PRAGMA data_version")
            return self._database.total_changes, others

    # SQLite.

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

    def _ask(self, asked: str, *values: Any) -> list[Any]:
        with self._lock, explain_errors(self.file):
            return self._database.execute(asked, values).fetchall()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """One transaction: all of it is kept, or nothing."""
        with self._lock, explain_errors(self.file):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise


def _say_taken(token: Token) -> str:
    has = "had a token, which was revoked" if token.revoked_at is not None else "has a token already"
    return f"{token.name} {has}; --replace makes a new one"


def _shorten(text: str | bool) -> str | bool:
    return text[:LONGEST_TEXT] if isinstance(text, str) else text
