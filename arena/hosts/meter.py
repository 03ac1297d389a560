"""The idle time of a bot that is asked: neither on a core nor waiting for one, and no fault of anybody's.

Sleeping is charged like computing, so that nobody stalls a class by it; being starved is not. The kernel
tells for every thread how long it was ready to run and did not (`schedstat`). Where it does not tell, waiting
looks like sleeping, and much more of it is free.

Sixteen threads that crowd one core for a moment have waited for sixteen moments, and could sleep through
fifteen of them at no charge. So a bot that may have threads is also looked at now and then: whenever none of
them runs or is ready to, it sleeps. When that is it cannot know, and its printing does not change it.

Time in which we ourselves did not run is nobody's: a bot may have answered meanwhile, or waited for us to
take what it printed. We know of it because our own waiting has an end: what goes beyond it, be it for want of
a core or because somebody stopped us, was our absence.
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
"""Between two looks at least and at most; at random, so that nobody can be awake just then."""


class Meter:
    """Measures one request from the moment on at which it takes long."""

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
        """Note that we have waited, meant to take so long at most; the bot's CPU stands at `cpu`."""
        now, own = time.monotonic_ns(), _own_waiting()
        delayed = own - self._own
        beyond = now - self._ticked - milliseconds * 1_000_000 - delayed
        # In our absence the bot may have run: that time is its CPU, and not to be taken off twice.
        self._absent += max(0, delayed + max(0, beyond) - (cpu - self._cpu_ticked))
        self._ticked, self._own, self._cpu_ticked = now, own, cpu
        if self._may_have_threads and now >= self._look_at:
            self._look(now)

    def _look(self, now: int) -> None:
        """Look whether a thread runs or is ready to; if none does, it slept since the last look."""
        if _is_asleep(self._pid):
            self._seen_asleep += now - self._looked - (self._absent - self._absent_then)
        self._looked, self._absent_then = now, self._absent
        self._look_at = now + random.randint(*_LOOKS_MS) * 1_000_000

    def idle_seconds(self, cpu: int, seconds: float, free: float) -> float:
        """Return how long the bot has slept beyond what is free, its CPU clock now standing at `cpu`."""
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
    """Return the nanoseconds that a bot's threads were ready to run and did not; None if nobody knows."""
    if not is_told_here():
        return None
    with contextlib.suppress(OSError):  # the bot has ended, which the next read tells
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
    """Return the nanoseconds that we ourselves have been ready to run and have not run."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as schedstat:
            return int(schedstat.read().split()[1])
    except (OSError, IndexError):
        return 0
