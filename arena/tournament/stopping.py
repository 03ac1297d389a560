"""Ctrl-C and other requests to stop (SIGTERM, SIGHUP): first gracefully, then at once. The log stays whole.

After the first one no game is begun, and games that end within two seconds are written. After a second one,
or after two seconds, it stops.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from arena.executors.unit import Executor

GRACE_SECONDS = 2.0
STOPPING = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


@contextmanager
def stopping(executor: Executor) -> Iterator[threading.Event]:
    """Let Ctrl-C and other signals stop an executor: first gracefully; at once when repeated or after 2 s."""
    is_stopping = threading.Event()
    timers: list[threading.Timer] = []

    def stop(number: int, frame: object) -> None:
        if is_stopping.is_set():
            raise KeyboardInterrupt
        is_stopping.set()
        executor.stop()
        here = threading.main_thread().ident
        timers.append(threading.Timer(GRACE_SECONDS, signal.pthread_kill, [here, signal.SIGINT]))
        timers[0].daemon = True
        timers[0].start()

    try:
        with _hearing(stop):
            yield is_stopping
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
