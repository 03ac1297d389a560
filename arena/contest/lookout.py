"""The lookout: while a sitting plays, it sees when something else should be played, and asks it to stop.

The organiser is obeyed at once. Bots come in bursts, most of all on the evening of the deadline: a sitting
lasts three seconds at least, and while uploads are being checked it goes on for up to twenty.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.contest.aim import Aim, Sight
from arena.errors import ArenaError
from arena.tournament.stopping import Stop

LOOK_SECONDS = 0.25
GRACE_SECONDS = 1.0
"""For games that are being played: the server has to end too, within two seconds in all."""

LEAST_SECONDS = 3.0
"""So long a sitting lasts before it is stopped for another bot."""

MOST_SECONDS = 20.0
"""So long a bot that has entered waits while others are being checked."""


class Lookout:
    """Looks from another thread, or while nothing is played."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    @contextmanager
    def watch(self, aim: Aim) -> Iterator[Stop]:
        """Give a sitting what asks it to stop when something else than its aim should be played."""
        stop, is_over = Stop(GRACE_SECONDS), threading.Event()
        work = (aim, stop, is_over, time.monotonic())
        threading.Thread(target=self._look_out, args=work, name="lookout", daemon=True).start()
        try:
            yield stop
        finally:
            is_over.set()

    def wait(self, aim: Aim | None, seconds: float | None = None) -> None:
        """Wait until something else should be played, or for so long."""
        until = None if seconds is None else time.monotonic() + seconds
        while self._look() in (None, aim) and (until is None or time.monotonic() < until):
            time.sleep(LOOK_SECONDS)

    def _look_out(self, aim: Aim, stop: Stop, is_over: threading.Event, begun: float) -> None:
        since: float | None = None
        while not is_over.wait(LOOK_SECONDS):
            now = self._look() or aim
            if now == aim:
                since = None
                continue
            since = since or time.monotonic()
            if self._is_time(aim, now, begun, since):
                stop.ask()
                return

    def _is_time(self, aim: Aim, now: Aim, begun: float, since: float) -> bool:
        """Whether a sitting is stopped for what has changed at some time since it was begun."""
        if now._replace(uploads=(), file=()) != aim._replace(uploads=(), file=()):
            return True  # the organiser has said something
        is_last = not self._sight.waiting
        clock = time.monotonic()
        return clock - begun >= LEAST_SECONDS and (is_last or clock - since >= MOST_SECONDS)

    def _look(self) -> Aim | None:
        """Return what should be played now; None if the book cannot be read just now."""
        try:
            return self._sight.look()
        except (ArenaError, OSError):
            return None
