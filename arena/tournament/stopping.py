"""Ctrl-C and other requests to stop (SIGTERM, SIGHUP): first gracefully, then at once. The log stays whole.

After the first one no game is begun, and games that end within two seconds are written. After a second one,
or after two seconds, it stops.

Another thread may ask for the same with a `Stop`, before, while or after games are played. Nobody is
interrupted then: whoever plays looks at it at least every tenth of a second, and goes on with something else.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf
from types import FrameType

from arena.executors.unit import Executor, Finished, Unit

GRACE_SECONDS = 2.0
STOPPING = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


class Stop:
    """A request to stop; any thread may make it, at any time."""

    def __init__(self, grace_seconds: float = GRACE_SECONDS) -> None:
        self.grace_seconds = grace_seconds  # for games that are being played
        self.is_users = False  # by a signal, such as that of Ctrl-C
        self._late_from = inf

    def ask(self) -> None:
        """Ask whoever plays to begin no more games, and to end soon."""
        self._late_from = min(self._late_from, time.monotonic() + self.grace_seconds)

    def ask_as_user(self) -> None:
        """Ask for the same on behalf of the user, for whom nothing goes on afterwards."""
        self.is_users = True
        self.ask()

    @property
    def is_asked(self) -> bool:
        """Whether no more games are to be begun."""
        return self._late_from < inf

    @property
    def is_late(self) -> bool:
        """Whether the time for games that were being played is over."""
        return time.monotonic() > self._late_from


class Stoppable:
    """An executor that heeds a request to stop."""

    def __init__(self, executor: Executor, stop: Stop) -> None:
        self._executor, self._stop, self._is_told = executor, stop, False
        self.walls, self.take_news, self.machines = executor.walls, executor.take_news, executor.machines
        self.games, self.stop, self.close = executor.games, executor.stop, executor.close

    @property
    def workers(self) -> int:
        """How many units are played at once."""
        return self._executor.workers

    def play(self, units: Iterable[Unit]) -> Iterator[Finished]:
        """Yield the games of all units; after a request to stop only those that end soon."""
        self._pass_on()
        for finished in self._executor.play(units):
            yield finished
            self._pass_on()
            if self._stop.is_late:
                return

    def _pass_on(self) -> None:
        if self._stop.is_asked and not self._is_told:
            self._is_told = True
            self._executor.stop()


@contextmanager
def stopping(executor: Executor, stop: Stop) -> Iterator[None]:
    """Let Ctrl-C and other signals stop an executor: at first gracefully, at once when repeated or late."""
    timers: list[threading.Timer] = []

    def hear(number: int, frame: object) -> None:
        if stop.is_users:
            raise KeyboardInterrupt
        stop.ask_as_user()
        executor.stop()
        here = threading.main_thread().ident
        timers.append(threading.Timer(stop.grace_seconds, signal.pthread_kill, [here, signal.SIGINT]))
        timers[0].daemon = True
        timers[0].start()

    try:
        with _hearing(hear):
            yield
    finally:
        for timer in timers:
            timer.cancel()


@contextmanager
def stopping_later() -> Iterator[None]:
    """Let the first Ctrl-C wait until this is done, for what takes a moment and should be whole."""
    is_stopping = threading.Event()

    def stop(number: int, frame: object) -> None:
        if is_stopping.is_set():
            raise KeyboardInterrupt
        is_stopping.set()

    with _hearing(stop):
        yield
    if is_stopping.is_set():
        raise KeyboardInterrupt


@contextmanager
def _hearing(stop: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Call a function on requests to stop; only the main thread hears them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
