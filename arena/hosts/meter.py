"""The idle time of a bot that is asked: neither on a core nor waiting for one, and not because of others.

Sleeping is charged like computing, so that nobody can stall a class by sleeping. Waiting for a core is free.
The kernel tells for every thread how long it was ready to run and did not run (`schedstat`). Where it does
not, waiting looks like sleeping, and much more of it is free.

Sixteen threads that share one core for a moment have together waited for sixteen moments, and could sleep
through fifteen of them for free. So a bot that may have threads is also sampled at random times: it sleeps
whenever none of its threads runs or is ready to. It cannot know the times, and printing does not change them.

Time in which we ourselves did not run is free: the bot may have answered meanwhile, or waited for us to take
what it printed. We notice it because our own waiting has a time limit: whatever goes beyond the limit was our
absence, for lack of a core or because somebody stopped us.
"""

from __future__ import annotations

import contextlib
import os
import random
import time
from functools import cache

from arena.referee.game import patience

_TICK_MS = 20
_LOOKS_MS = (10, 30)
"""The least and the most time between two looks; random, so that a bot cannot be awake just then."""


class Meter:
    """Measures one request, from the moment at which it counts as long."""

    def __init__(self, pid: int, cpu: int, may_have_threads: bool) -> None:
        self._pid = pid
        self._cpu = self._cpu_ticked = cpu
        self._may_have_threads = may_have_threads
        self._begun = self._ticked = time.monotonic_ns()
        self._read_waited = self._waited_at_first = waiting_for_a_core(pid)
        self._own = _own_waiting()
        self._absent = 0
        self._seen_asleep = 0  # nanoseconds, of a bot with threads
        self._looked, self._absent_then = self._begun, 0
        self._look_at = self._begun + random.randint(*_LOOKS_MS) * 1_000_000

    @property
    def milliseconds(self) -> int:
        """How long to wait at most before the next `tick`."""
        if not self._may_have_threads:
            return _TICK_MS
        return max(0, self._look_at - time.monotonic_ns()) // 1_000_000 + 1

    def tick(self, milliseconds: int, cpu: int) -> None:
        """Note that we have waited, at most `milliseconds` as planned; the bot's CPU clock is at `cpu`."""
        now, own = time.monotonic_ns(), _own_waiting()
        delayed = own - self._own
        beyond = now - self._ticked - milliseconds * 1_000_000 - delayed
        # The bot may have run in our absence: that time is its CPU, and must not be subtracted twice.
        self._absent += max(0, delayed + max(0, beyond) - (cpu - self._cpu_ticked))
        self._ticked, self._own, self._cpu_ticked = now, own, cpu
        if self._may_have_threads and now >= self._look_at:
            self._look(now)

    def _look(self, now: int) -> None:
        """Look whether a thread runs or is ready to; if not, the bot has slept since the last look."""
        if _is_asleep(self._pid):
            self._seen_asleep += now - self._looked - (self._absent - self._absent_then)
        self._looked, self._absent_then = now, self._absent
        self._look_at = now + random.randint(*_LOOKS_MS) * 1_000_000

    def idle_seconds(self, cpu: int, seconds: float, free: float) -> float:
        """Return how long the bot has slept beyond what is free; its CPU clock is at `cpu` now."""
        if self._waited_at_first is None:
            free = patience(seconds)
        else:
            self._read_waited = max(
                self._read_waited or 0, waiting_for_a_core(self._pid) or 0
            )  # threads may have ended
        waited = (self._read_waited or 0) - (self._waited_at_first or 0)
        asleep = time.monotonic_ns() - self._begun - self._absent - waited - (cpu - self._cpu)
        return max(0.0, max(asleep, self._seen_asleep) / 1e9 - free)


def waiting_for_a_core(pid: int) -> int | None:
    """Return the nanoseconds in which a bot's threads were ready to run and did not; None if unknown."""
    if not is_told_here():
        return None
    with contextlib.suppress(OSError):  # the bot has ended, which the next read finds out
        return sum(_read_waited(pid, task) for task in os.listdir(f"/proc/{pid}/task"))
    return 0


def _read_waited(pid: int, task: str) -> int:
    try:
        with open(f"/proc/{pid}/task/{task}/schedstat", "rb") as schedstat:
            return int(schedstat.read().split()[1])
    except OSError:
        return 0  # a thread that has just ended


@cache
def is_told_here() -> bool:
    """Whether this kernel tells who waits for a core."""
    try:
        with open("/proc/self/schedstat", "rb") as schedstat:
            return len(schedstat.read().split()) == 3
    except OSError:
        return False


def _is_asleep(pid: int) -> bool:
    """Whether no thread of a bot runs or is ready to."""
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", "rb") as stat:
                if stat.read().rpartition(b")")[2].split()[0] == b"R":
                    return False
    except OSError:
        return False  # it is just ending
    return True


def _own_waiting() -> int:
    """Return the nanoseconds in which we ourselves were ready to run and did not."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as schedstat:
            return int(schedstat.read().split()[1])
    except (OSError, IndexError):
        return 0
