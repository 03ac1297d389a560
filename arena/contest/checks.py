"""Uploads are checked one after the other, the oldest first, as `arena check` does it with a tournament file.

A thread of the server takes them from the book and has each checked by a process of its own. Steps are there
for whoever asks as soon as they are done; the verdict is written into the book. What was not finished when
the server ended waits in the book, and is checked when there is a server again. If the process is lost
through no fault of the bot's, the bot is checked once more.

Where this machine cannot sandbox, nothing is checked, and `why_not` says why to whoever would hand in a bot.
It is looked at again now and then: the cause may be gone.
Refused: several checks at once. They would take cores from the games, and from each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import arena
from arena.bots.source import Source
from arena.checking.check import GAMES, UNSEEN, Step
from arena.contest.book import WAITING, Book, Upload
from arena.contest.one_check import NICENESS, NO_SANDBOX, STEP, VERDICT, write_task
from arena.errors import StoreError, UserError
from arena.game import RULE_BOOKS
from arena.leftovers import remove_what_is_left_of
from arena.referee.game import Limits
from arena.sandbox.priority import lower
from arena.sandbox.template import bot_environment

IDLE_SECONDS = 5.0
"""After which the book is looked at again, though nobody has said that something is in it."""

RETRY_SECONDS, PROBE_SECONDS = 5.0, 30.0
"""After what went wrong, and after a look at a machine without a sandbox: half a second of CPU."""

MODULE = "arena.contest.one_check"
NOBODY = 0
"""The number of no upload: the sandbox itself is looked at."""

START_SECONDS = 60.0
SLOWNESS = 10
"""How much longer than by its CPU clock a check may take, which makes way for all else."""

ATTEMPTS = 2


class Progress(NamedTuple):
    """How far an upload is: its state, the steps that are done, and how many are checked before it."""

    state: str
    steps: tuple[Step, ...]
    ahead: int


class NoVerdict(Exception):  # noqa: N818 - reads as what it says
    """A check ended without a verdict: `why` says how, in a sentence about our own process."""


class Checks:
    """Checks what is handed in to a tournament.

    `read_limits` is asked before every check, by a thread of ours: the tournament file may have changed.
    """

    def __init__(
        self,
        book: Book,
        tournament: str,
        read_limits: Callable[[], Limits],
    ) -> None:
        self._book, self._tournament, self._read_limits = book, tournament, read_limits
        self._changed = threading.Condition()
        self._is_ending = False
        self._process: subprocess.Popen[bytes] | None = None
        self._current: tuple[int, tuple[Step, ...]] | None = None
        self._thread = threading.Thread(target=self._work, name="checks", daemon=True)
        self.changes = 0
        """Grows with everything that happens here; whoever follows an upload asks again when it has."""
        self.why_not = ""
        """Why nothing can be checked on this machine; empty if it can be."""
        self.trouble = ""
        """Why checks do not go on at the moment, such as a full disk."""

    @property
    def is_ending(self) -> bool:
        """Whether the server ends: the book may be closed at any moment."""
        return self._is_ending

    def start(self) -> None:
        """Find out whether this machine can sandbox, then begin with what waits in the book."""
        self._try(self._look_at_sandbox)
        self._thread.start()

    def stop(self) -> None:
        """End, also in the middle of a check: that upload goes on waiting."""
        with self._changed:
            self._is_ending = True
            self._end_process()
        self.wake()
        if self._thread.ident is not None:
            self._thread.join()

    def wake(self) -> None:
        """Look into the book at once: something was received."""
        with self._changed:
            self.changes += 1
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Wait until `changes` is not what was seen, or for so many seconds; return what it is."""
        with self._changed:
            self._changed.wait_for(lambda: self.changes != seen or self._is_ending, seconds)
            return self.changes

    def progress(self, upload_id: int) -> Progress:
        """Return how far an upload is; UserError if there is none of that number."""
        found = self._book.find_upload(upload_id)
        if found is None:
            raise UserError(f"there is no upload {upload_id}")
        if found.state != WAITING:
            return Progress(found.state, found.steps, 0)
        with self._changed:
            current, steps = self._current or (None, ())
        if current == upload_id:
            return Progress(WAITING, steps, 0)
        return Progress(WAITING, (), self._book.count_ahead(found))

    # What the thread does.

    def _work(self) -> None:
        while not self._is_ending:
            if self.trouble:
                self._rest(PROBE_SECONDS if self.why_not else RETRY_SECONDS)
            seen = self.changes
            if self._try(self._do_next):
                self.wait(seen, IDLE_SECONDS)

    def _try(self, do: Callable[[], None]) -> bool:
        """Do something; False if it went wrong: `trouble` says how, and it is tried again."""
        try:
            do()
        except (StoreError, NoVerdict) as error:
            self.trouble = str(error)
        except OSError as error:  # such as no memory or no process to be had
            self.trouble = f"no check can be started: {error.strerror}"
        except Exception:  # a bug of ours; what was handed in must not wait for ever
            traceback.print_exc()
            self.trouble = "a check has failed through arena's own fault; it is tried again"
        else:
            self.trouble = ""
        return not self.trouble

    def _rest(self, seconds: float) -> None:
        """Wait so long, whoever says that there is something to do."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_ending, seconds)

    def _do_next(self) -> None:
        if self.why_not:
            self._look_at_sandbox()
        upload = self._book.next_waiting(self._tournament)
        if upload is not None and not self._is_ending:
            self._check(upload)

    def _look_at_sandbox(self) -> None:
        """Find out whether this machine can sandbox; NoVerdict, and `why_not` says why, if it cannot."""
        self._run(NOBODY, None)

    def _check(self, upload: Upload) -> None:
        steps, is_passed = self._find_verdict(upload)
        if self._is_ending:
            return
        self._book.note_verdict(upload.id, steps, is_passed)
        self._current = None
        self.wake()

    def _find_verdict(self, upload: Upload) -> tuple[tuple[Step, ...], bool]:
        try:
            source = upload.source
        except StoreError as error:
            return (Step("can be read", False, f"{error}; hand it in once more"),), False
        why = ""
        for _ in range(ATTEMPTS):
            try:
                return self._run(upload.id, source)
            except NoVerdict as error:
                why = str(error)
                if self._is_ending or self.why_not:
                    raise
        step = Step("can be checked", False, f"{why}; this is arena's fault, tell the organiser")
        return (step,), False

    def _run(self, upload_id: int, source: Source | None) -> tuple[tuple[Step, ...], bool]:
        """Check a bot, or the sandbox alone, in a process of its own; NoVerdict if it came to no end."""
        limits = self._read_limits()
        process = self._begin(upload_id)
        timer = threading.Timer(_longest(limits), self._end_process)
        timer.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError), process.stdin:  # its exit code says why
                write_task(process.stdin, source, limits, os.getpid())
            for line in process.stdout:
                if not line.endswith(b"\n"):
                    break  # it was ended in the middle of a line
                if (is_passed := self._hear(upload_id, *json.loads(line))) is not None:
                    assert self._current is not None
                    return self._current[1], is_passed
        finally:
            timer.cancel()
            self._finish(process)
        raise NoVerdict(f"the process that checked it ended with exit code {process.returncode}")

    def _hear(self, upload_id: int, about: str, what: Any) -> bool | None:
        """Take a line of the process; return the verdict if it is that."""
        if about == NO_SANDBOX:
            self.why_not = what
            raise NoVerdict(what)
        self.why_not = ""
        if about == STEP:
            with self._changed:
                _, steps = self._current or (0, ())
                self._current = upload_id, (*steps, Step(*what))
            self.wake()
        return bool(what) if about == VERDICT else None

    def _begin(self, upload_id: int) -> subprocess.Popen[bytes]:
        root = str(Path(arena.__file__).parent.parent)
        with self._changed:
            if self._is_ending:
                raise NoVerdict("the server ends")
            self._current = upload_id, ()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-s", "-m", MODULE],
                env=bot_environment() | {"PYTHONPATH": root},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
            lower(self._process.pid, NICENESS)
        self.wake()
        return self._process

    def _end_process(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def _finish(self, process: subprocess.Popen[bytes]) -> None:
        """End the process, and with it its template and its bots, and tidy up after it."""
        with self._changed:
            self._end_process()
            process.wait()
            self._process = None
        if process.stdout is not None:
            process.stdout.close()
        remove_what_is_left_of(process.pid)


def _longest(limits: Limits) -> float:
    """Return after how many seconds a check is given up: a bot's own limits have ended it long before."""
    games = len(RULE_BOOKS) + len(UNSEEN) + 2 * GAMES
    return START_SECONDS + SLOWNESS * (games * limits.game_seconds + 2 * limits.start_seconds)
