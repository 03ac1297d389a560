"""The idle time of a bot that is asked: neither on a core nor waiting for one, and not because of others.

Sleeping is charged like computing, so that nobody can stall a class by sleeping. Waiting for a core is free.
The kernel tells for every thread how long it was ready to run and did not run (`schedstat`). Where it does
not, waiting looks like sleeping, and much more of it is free. In a virtual machine a core itself may have to
wait (`steal`): the bot on it then has neither run nor slept.

Sixteen threads that share one core for a moment have together waited for sixteen moments, and could sleep
through fifteen of them for free. So a bot that may have threads is also sampled at random times: it sleeps
whenever none of its threads runs or is ready to. It cannot know the times, and printing does not change them.

Time in which we ourselves did not run is free: the bot may have answered meanwhile, or waited for us to take
what it printed. We notice it because our own waiting has a time limit: whatever goes beyond the limit was our
absence, for lack of a core or because somebody stopped us.

The kernel of a virtual machine does not always know that it was not run, and then counts the pause as CPU of
whoever had the core (seen: half a second). The bot and we share a core, so the same pause makes us late. What
it cannot have used is then not charged (`phantom`): in doubt for the bot, by as much as we were late. Where
others want the core too, we may be late as well, and the bot runs meanwhile, but slice by slice: these count.
"""

from __future__ import annotations

import contextlib
import os
import random
import time
from functools import cache

from arena.referee.game import patience

_TICK_MS = 10
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
"""The unit of /proc/stat."""

_UNTOLD_SECONDS = 1.0

_SLICE_NS = 5_000_000
"""More than a thread that is alone runs on after somebody else wants its core (3 ms)."""

_LATE_NS = 2_000_000
"""More than a timer is late where the machine runs."""

_LOOKS_MS = (10, 30)
"""The least and the most time between two looks; random, so that a bot cannot be awake just then."""


class Meter:
    """Measures one request, from the moment at which it counts as long."""

    def __init__(self, pid: int, cpu: int, may_have_threads: bool) -> None:
        self._pid = pid
        self._cpu = self._cpu_ticked = cpu
        self._may_have_threads = may_have_threads
        self._begun = self._ticked = time.monotonic_ns()
        self._waited_at_first = waiting_for_a_core(pid)
        self._waited = self._waited_at_first or 0
        self._own, self._slices = _own_waiting(), slices_of(pid)
        self._cores = cores_of(pid)
        self._stolen = stolen_from(self._cores)
        self._absent = 0  # nanoseconds in which we, or its cores, did not run
        self._seen_asleep = 0  # nanoseconds, of a bot with threads
        self._looked, self._absent_then = self._begun, 0
        self._look_at = self._begun + random.randint(*_LOOKS_MS) * 1_000_000

    @property
    def milliseconds(self) -> int:
        """How long to wait at most before the next `tick`."""
        if not self._may_have_threads:
            return _TICK_MS
        return max(0, self._look_at - time.monotonic_ns()) // 1_000_000 + 1

    def tick(self, milliseconds: int, cpu: int) -> int:
        """Note that we have waited, at most `milliseconds` as planned; the bot's CPU clock is at `cpu`.

        Return the nanoseconds on that clock, since the last tick, that the bot cannot have used.
        """
        now, own = time.monotonic_ns(), _own_waiting()
        waited = self._note_waiting()
        delayed, stolen, slices = own - self._own, stolen_from(self._cores), slices_of(self._pid)
        beyond = now - self._ticked - milliseconds * 1_000_000 - delayed
        used = cpu - self._cpu_ticked
        # The bot may have run in our absence: that time is its CPU, and must not be subtracted twice.
        # What was stolen from its core was mostly stolen from us too, who run on the same one.
        absent = max(delayed + max(0, beyond) - used, stolen - self._stolen)
        self._absent += max(0, min(absent, self._idle(now - self._ticked, used, waited)))
        # The kernel tells a wait when it is over, and we may have taken it for an absence meanwhile.
        all_waited = self._waited - (self._waited_at_first or 0)
        self._absent = min(self._absent, max(0, self._idle(now - self._begun, cpu - self._cpu, all_waited)))
        self._ticked, self._own, self._cpu_ticked, self._stolen = now, own, cpu, stolen
        slices, self._slices = slices - self._slices, slices
        if self._may_have_threads and now >= self._look_at:
            self._look(now)
        if self._may_have_threads:  # many of them can keep us from the core for longer than a slice
            return max(0, min(used, beyond - _LATE_NS))
        return max(phantom(used, milliseconds, slices), min(used, beyond - _LATE_NS))

    def _look(self, now: int) -> None:
        """Look whether a thread runs or is ready to; if not, the bot has slept since the last look."""
        if _is_asleep(self._pid):
            self._seen_asleep += now - self._looked - (self._absent - self._absent_then)
        self._looked, self._absent_then = now, self._absent
        self._look_at = now + random.randint(*_LOOKS_MS) * 1_000_000

    def _note_waiting(self) -> int:
        """Return how many nanoseconds of waiting for a core the kernel has told since the last time."""
        before = self._waited
        if self._waited_at_first is not None:  # threads may have ended, which hides their waiting
            self._waited = max(before, waiting_for_a_core(self._pid) or 0)
        return self._waited - before

    def _idle(self, passed: int, used: int, waited: int) -> int:
        """Return from how much time an absence of ours may be subtracted: not from what it ran or waited.

        Otherwise that would pay for later sleep. Threads may together have run and waited for longer than
        time has passed, so for them it is all of it.
        """
        return passed if self._may_have_threads else passed - used - waited

    def may_be_waiting(self, idle: float) -> bool:
        """Whether what looks like sleep may be one long wait for a core, which the kernel tells when it ends.

        Only up to a second is believed of a bot that is ready to run just now: it might have woken up for us.
        """
        return idle < _UNTOLD_SECONDS and not _is_asleep(self._pid)

    def idle_seconds(self, seconds: float, free: float) -> float:
        """Return how long the bot had slept at the last tick, beyond what is free.

        Whatever has passed since that tick is ours: we look at memory, or somebody has just stopped us.
        """
        if self._waited_at_first is None:
            free = patience(seconds)
        waited = self._waited - (self._waited_at_first or 0)
        asleep = self._ticked - self._begun - self._absent - waited - (self._cpu_ticked - self._cpu)
        return max(0.0, max(asleep, self._seen_asleep) / 1e9 - free)


def phantom(cpu: int, milliseconds: int, slices: int = 1) -> int:
    """Return how much of a bot's CPU it cannot have used if we were to wake up after `milliseconds`.

    From then on it runs for no longer than a slice at a time, unless the machine does not run; and for one
    slice alone if nobody but us wants its core.
    """
    return max(0, cpu - milliseconds * 1_000_000 - max(1, slices) * _SLICE_NS)


def slices_of(pid: int) -> int:
    """Return how often the first thread of a bot was given a core so far; 0 if nobody knows."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as schedstat:
            return int(schedstat.read().split()[2])
    except (OSError, IndexError):
        return 0


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


def cores_of(pid: int) -> set[bytes]:
    """Return the cores on which a bot may run, as /proc/stat calls them."""
    with contextlib.suppress(OSError, AttributeError):  # it has ended, or this is not Linux
        return {b"cpu%d" % core for core in os.sched_getaffinity(pid)}
    return set()


def stolen_from(cores: set[bytes]) -> int:
    """Return the nanoseconds in which cores of a virtual machine had something to run and did not run."""
    try:
        with open("/proc/stat", "rb") as stat:
            lines = [line.split(None, 9) for line in stat if line.startswith(b"cpu")]
    except OSError:
        return 0
    return sum(int(line[8]) for line in lines if line[0] in cores and len(line) > 8) * _TICK_NS


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
