"""One bot's process seen from the worker: three pipes, a deadline, and the clocks that decide.

A bot may use its seconds, whatever else the machine does. They are CPU time, and time in which it neither ran
nor waited for a core (`meter`). The deadline of a request is absolute: nothing that a bot sends moves it. CPU
used between requests is charged to the next one: the clock is read at every reply and never reset.

Only the bot that is asked runs. Once it has thought for some milliseconds, all other bots of its template are
stopped, each until it is asked again. So nothing that they do out of turn costs it anything.

Most replies come within microseconds. They take the short way through `exchange`: one write, one read, one
look at the bot's CPU clock. Everything else is checked only while waiting.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable

from arena.hosts.meter import Meter, phantom
from arena.hosts.output import Output
from arena.hosts.process import cpu_clock, oom_kills, status_of
from arena.inside import wire
from arena.referee.endings import Ending, Failure
from arena.referee.game import longest_wait
from arena.sandbox.priority import pass_on
from arena.sandbox.signals import ended_by, is_from_outside
from arena.sandbox.template import Template, TemplateLost, kill
from arena.sandbox.walls import READY

MOST_THREADS = 17  # sixteen, and one that may be just ending
_ALONE_MS = 10  # of thinking, before the others are stopped
_LONG_NS = _ALONE_MS * 1_000_000
_PATIENCE = 5  # requests after one that was not answered at once
_monotonic_ns, _clock_gettime_ns = time.monotonic_ns, time.clock_gettime_ns
FREE = 0.05
"""Seconds of sleep that are free, for each move."""

WALLS_SECONDS = 30
_STOPPING_NS = 200_000_000  # many threads on a busy core do not stop at once
_RUNNING_ON_NS = 5_000_000  # this much CPU between two looks at a stopped bot: it is still running
_MEMORY_CHECK_NS = 20_000_000  # check the memory after this much CPU: it cannot grow by much in less


class BotLost(Exception):  # noqa: N818 - not an error of ours
    """The line is dead: we have ended the bot, or it has ended. `by_signal`: perhaps by somebody outside."""

    def __init__(self, failure: Failure, by_signal: bool = False) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.by_signal = by_signal


class Line:
    """The pipes to a bot that the template has just forked. `close` ends the bot."""

    def __init__(self, template: Template, memory_mib: int, **request: object) -> None:
        self._template = template
        self._memory_bytes = memory_mib * 1024 * 1024
        request_end, self._requests = os.pipe2(os.O_CLOEXEC)
        self._replies, reply_end = os.pipe2(os.O_CLOEXEC)
        printed, output_end = os.pipe2(os.O_CLOEXEC)
        self._output = Output(printed)
        theirs = [request_end, reply_end, output_end]
        try:
            self.pid = template.fork(theirs, memory_mib=memory_mib, **request)
        except TemplateLost:
            self._close_descriptors()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        os.set_blocking(self._replies, False)
        os.set_blocking(self._requests, False)
        self._clock = cpu_clock(self.pid)
        self._cpu = 0
        self._asked_at = _monotonic_ns()
        self.spent = (0.0, 0.0)  # CPU and wall seconds of the request during which the bot was lost
        self._meter: Meter | None = None  # of the current request, once it takes long
        self._is_stopped = False
        self._cpu_when_stopped = -1  # not looked at yet
        self._stopped_at = 0
        self._verdict: Failure | None = None  # on a bot that was ended out of turn
        self._may_have_threads = "command" in request
        self._cpu_at_memory_check = 0
        self.seen_bytes = 0  # of resident memory, when last looked at
        self._poll, self._poll_both, self._poll_room = select.poll(), select.poll(), select.poll()
        for poll in (self._poll, self._poll_both):
            poll.register(self._replies, select.POLLIN)
        self._poll_room.register(self._requests, select.POLLOUT)
        self._output.be_heard_by(self._poll_both, self._poll_room)
        self.is_open = True
        template.lines.add(self)
        self._await_walls()
        self._oom_kills = oom_kills()
        self._impatience = 0  # requests until we look for a reply without waiting again

    def exchange(
        self,
        data: bytes,
        seconds: float,
        is_whole: Callable[[bytes], bool],
        usual: int = 0,
        free: float = 0.05,
    ) -> tuple[bytes, float, float, float]:
        """Send a request and return what came back, with its CPU seconds, wall seconds and idle seconds.

        Reads until `is_whole`, which must also be true of anything too long; a reply of the `usual` length
        is whole. `free` seconds of sleep cost nothing. BotLost if the bot is too slow, too large or gone.
        """
        begun = self._asked_at = _monotonic_ns()
        self._meter = None
        self.send(data, seconds)
        found = self._first_bytes(seconds, free, wire.SHORT if usual else 4096)
        if len(found) != usual:
            while not is_whole(found):
                # In every pass, so that a bot gains nothing by sending its reply in small pieces.
                self._watch(seconds, free)
                self._wait(seconds, free)
                found += self._read()
        cpu = _clock_gettime_ns(self._clock)
        if cpu - self._cpu > _LONG_NS and self._meter is None:
            self._forgive_pause(cpu)
        used, self._cpu = cpu - self._cpu, cpu
        if cpu - self._cpu_at_memory_check > _MEMORY_CHECK_NS:
            self._check_memory(cpu)
        idle = 0.0 if self._meter is None else self._meter.idle_seconds(seconds, free)
        return found, used / 1e9, (_monotonic_ns() - begun) / 1e9, idle

    def stop(self) -> None:
        """Stop the bot until it is asked or told something."""
        if self.is_open and not self._is_stopped:
            self._is_stopped = True
            self._cpu_when_stopped, self._stopped_at = -1, _monotonic_ns()
            self._signal(signal.SIGSTOP)

    def end_if_running(self) -> None:
        """End a bot that keeps running after it was stopped; it forfeits when it is asked next."""
        if not self._is_stopped or self._verdict is not None:
            return
        if _monotonic_ns() - self._stopped_at < _STOPPING_NS:
            return
        with contextlib.suppress(OSError):  # it has ended, which the next read finds out
            cpu = _clock_gettime_ns(self._clock)
            if self._cpu_when_stopped < 0:
                self._cpu_when_stopped = cpu
            elif cpu - self._cpu_when_stopped > _RUNNING_ON_NS:
                self._verdict = Failure(Ending.CRASH, "kept running after it was stopped, out of turn")
                kill(self.pid)

    def _go_on(self) -> None:
        self._is_stopped = False
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has ended, which the next read finds out
            os.kill(self.pid, number)

    def _await_walls(self) -> None:
        """Wait until the walls are up; TemplateLost if they are not, which is not the bot's fault."""
        if self._poll.poll(WALLS_SECONDS * 1000) and os.read(self._replies, 1) == READY:
            pass_on(self.pid)
            return
        self.close()
        raise TemplateLost(self.printed.strip() or "the sandbox was not built in time")

    def _first_bytes(self, seconds: float, free: float, most: int) -> bytes:
        """Return the beginning of a reply, or all of it.

        On one core the bot has often run and answered before our write returns. If it has not, a read without
        waiting is a waste (1.1 µs; waiting costs 0.8), so for a while we wait first.
        """
        self._impatience -= 1
        if self._impatience <= 0:
            try:
                found = os.read(self._replies, most)
            except BlockingIOError:
                self._impatience = _PATIENCE
            else:
                if not found:
                    raise self._find_end()
                return found
        if not self._poll.poll(_ALONE_MS):
            self._wait(seconds, free)
        return self._read(most)

    def _read(self, most: int = 65536) -> bytes:
        found = os.read(self._replies, most)
        if not found:
            raise self._find_end()
        return found

    def send(self, data: bytes, seconds: float) -> None:
        """Write a request; reading the reply finds out if the bot is gone."""
        if not self.is_open:
            return
        if self._is_stopped:
            self._go_on()
        try:
            sent = os.write(self._requests, data)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            return
        if sent < len(data):
            self._send_rest(data[sent:], seconds)

    def _send_rest(self, data: bytes, seconds: float) -> None:
        """Write what the pipe had no room for, as the bot reads it."""
        self._asked_at = _monotonic_ns()
        self._meter = None
        while data:
            self._wait(seconds, FREE, for_room=True)
            try:
                data = data[os.write(self._requests, data) :]
            except BrokenPipeError:
                return

    @property
    def printed(self) -> str:
        """What the bot has printed since `forget_printed`, up to 64 KiB."""
        return self._output.text

    def forget_printed(self) -> None:
        """Begin a new game's worth of printed text."""
        self._output.forget()

    def memory_mib(self, key: str = "VmRSS") -> float:
        """Return the resident memory of the bot in MiB; 0 if it is gone."""
        if not self.is_open:
            return 0.0
        return int(status_of(self.pid).get(key, "0 kB").split()[0]) / 1024

    def peak_memory_mib(self) -> float:
        """Return the most resident memory that the bot has had so far."""
        return self.memory_mib("VmHWM")

    def lose(self, failure: Failure) -> BotLost:
        """End the bot; return what to raise for it."""
        self.close()
        return BotLost(failure)

    def close(self) -> None:
        """End the bot and let go of its pipes; may be called twice."""
        if not self.is_open:
            return
        self._end_process()
        with contextlib.suppress(TemplateLost):  # then the kernel has reaped it
            self._template.reap(self.pid)

    def _end_process(self) -> None:
        """End the process and let go of its pipes; it must still be reaped."""
        self.is_open = False
        self._template.lines.discard(self)
        kill(self.pid)
        self._note_spent()
        self._output.drain()
        self._close_descriptors()

    def _note_spent(self) -> None:
        """Note what the current request has cost; the kernel knows it until the bot is reaped."""
        with contextlib.suppress(OSError):  # the template is gone too, and has reaped it
            cpu = _clock_gettime_ns(self._clock)
            self.spent = (cpu - self._cpu) / 1e9, (_monotonic_ns() - self._asked_at) / 1e9

    def _close_descriptors(self) -> None:
        for descriptor in (self._requests, self._replies):
            os.close(descriptor)
        self._output.close()
        self._requests = self._replies = -1

    def _wait(self, seconds: float, free: float, for_room: bool = False) -> None:
        """Come back when there is something to read, or room to write; BotLost once a limit is passed."""
        poll, wanted = self._poll_both, self._replies
        if for_room:
            poll, wanted = self._poll_room, self._requests
        meter = self._meter or self._begin_to_measure()
        while True:
            milliseconds = meter.milliseconds
            ready = {fd for fd, _ in poll.poll(milliseconds)}
            self._cpu += meter.tick(milliseconds, self._cpu_now())
            if self._output.descriptor in ready:
                self._output.drain()
            if wanted in ready:
                return
            self._watch(seconds, free)
            for other in self._template.lines - {self}:
                other.end_if_running()

    def _begin_to_measure(self) -> Meter:
        """Stop all other bots, and watch this one closely."""
        for other in self._template.lines - {self}:
            other.stop()
        cpu = self._cpu_now()
        self._forgive_pause(cpu)
        self._meter = Meter(self.pid, cpu, self._may_have_threads)
        return self._meter

    def _forgive_pause(self, cpu: int) -> None:
        """Do not charge what the bot cannot have used in our first wait, nor more than we waited."""
        if not self._may_have_threads:
            self._cpu += phantom(min(cpu - self._cpu, _monotonic_ns() - self._asked_at), _ALONE_MS)

    def _watch(self, seconds: float, free: float) -> None:
        """BotLost if the bot has used up its CPU, its memory, or the time in which it did nothing."""
        cpu = self._cpu_now()
        self._check_memory(cpu)
        used = (cpu - self._cpu) / 1e9
        idle = 0.0 if self._meter is None else self._meter.idle_seconds(seconds, free)
        if used + idle > seconds and not (used <= seconds and self._may_be_waiting(idle)):
            asleep = f" and {idle + free:.3f} s asleep" if idle else ""
            raise self._too_slow(
                f"used {used:.3f} s of CPU{asleep} without an answer, and may use {seconds:g} s"
            )
        longest = longest_wait(seconds)
        if (_monotonic_ns() - self._asked_at) / 1e9 > longest:
            raise self._too_slow(f"gave no answer within {longest:g} s of wall time")

    def _may_be_waiting(self, idle: float) -> bool:
        return self._meter is not None and self._meter.may_be_waiting(idle)

    def _cpu_now(self) -> int:
        try:
            return _clock_gettime_ns(self._clock)
        except OSError:
            raise self._find_end() from None

    def _check_memory(self, cpu: int) -> None:
        """BotLost if the bot has too much resident memory, including the kernel's page tables for it."""
        self._cpu_at_memory_check = cpu
        status = status_of(self.pid)
        used = sum(int(status.get(key, "0 kB").split()[0]) for key in ("VmRSS", "VmPTE")) * 1024
        self.seen_bytes = used
        if used > self._memory_bytes:
            found, allowed = used >> 20, self._memory_bytes >> 20
            detail = f"had {found} MiB of resident memory, and may have {allowed} MiB"
            raise self.lose(Failure(Ending.MEMORY, detail))
        threads = int(status.get("Threads", "1"))
        if threads > MOST_THREADS:
            raise self.lose(Failure(Ending.CRASH, f"had {threads} threads, and may have {MOST_THREADS}"))

    def _too_slow(self, detail: str) -> BotLost:
        return self.lose(Failure(Ending.TIMEOUT, detail))

    def _find_end(self) -> BotLost:
        """Return what to raise for a bot whose process has ended by itself, or has closed its pipe."""
        is_alive = self._is_alive_still()
        self._end_process()
        code, signal_number = self._template.reap(self.pid)
        if self._verdict is not None:
            return BotLost(self._verdict)
        if is_alive:
            return BotLost(Failure(Ending.CRASH, "closed the pipe that it answers on"))
        if signal_number is None:
            return BotLost(Failure(Ending.CRASH, f"ended its process with exit code {code}"))
        if signal_number == signal.SIGKILL and oom_kills() > self._oom_kills:
            return BotLost(Failure(Ending.MEMORY, "was killed by the kernel for memory"), by_signal=True)
        return BotLost(ended_by(signal_number), is_from_outside(signal_number))

    def _is_alive_still(self) -> bool:
        """Whether the process still runs; an ending process closes its pipes a moment before its end."""
        for _ in range(50):
            if not status_of(self.pid):
                return False
            time.sleep(0.002)
        return True
