"""One worker process seen from the executor: its pipe, its notes about the current game, and its unit.

A worker that dies, or in which a trusted bot hangs where Python cannot interrupt it, is ended and replaced.
If a trusted bot was being asked and ended the process, caused a signal, or hung, it loses that game at once.
If it was nobody's fault, or may have been somebody's outside (`signals`), the game is played again. If that
ends the same way while a trusted bot was being asked, that bot loses.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import multiprocess
from multiprocess import forkserver, resource_tracker

from arena.errors import UserError, Void
from arena.executors.status import Doing, Status
from arena.executors.unit import Finished, Played, Replay, Spoilt, Unit, hand_back, replay
from arena.executors.worker import BATCH_SECONDS, Worker, batches
from arena.hosts.process import cpu_clock
from arena.leftovers import remove_what_is_left_of
from arena.referee.endings import Ending, Failure
from arena.referee.game import GameSpec, Limits, longest_wait, patience
from arena.referee.judge import forfeit, no_start
from arena.referee.record import nothing_spent, record
from arena.sandbox.signals import ended_by, is_from_outside
from arena.sandbox.syscalls import machine

UNIT_SECONDS = 2.0
START_SECONDS = 60
EXIT_SECONDS = 2
UNKNOWN_EXIT = 255
"""The exit code that is also reported if nobody knows it, because the fork server is gone."""

MOST_STARTS = 3
QUICK_SECONDS = 0.1
"""A worker whose units take less than this is given the next one ahead of time."""

SAFE_PATH = "PYTHONSAFEPATH"
CONTEXT = multiprocess.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__])  # imported once for all workers


def start_server() -> None:
    """Start the fork server, which imports what workers need, while there is something else to do."""
    with without_main():
        forkserver.ensure_running()


class Hand:
    """One worker process seen from here: its pipe, its status, and the unit it has."""

    def __init__(self, core: int, is_sandboxed: bool = False) -> None:
        self._core = core
        self._is_sandboxed = is_sandboxed
        self._walls = ""
        self._unit: Unit | None = None
        self._ahead: Unit | None = None  # what it plays next, and has already been sent
        self._is_quick = False  # whether its last unit took but a moment
        self._heard = self._given = time.monotonic()
        self._done = 0  # games of the unit that have come back
        self._again: int | None = None  # the game that is being played once more
        self._is_deadly = False
        self._asked_since: tuple[tuple[int, ...], float, float] | None = None
        self._is_ready = False
        self._launch()

    @property
    def pid(self) -> int:
        """The process id of the worker."""
        return int(self._process.pid)

    @property
    def is_idle(self) -> bool:
        """Whether it has nothing to play."""
        return self._unit is None

    @property
    def game(self) -> GameSpec | None:
        """The game that it plays now, or one of them; None if it has nothing to play."""
        if self._unit is None:
            return None
        at = min(int(self._status.game), len(self._unit.specs) - 1)
        return self._unit.specs[at]

    def walls(self) -> str:
        """Return the walls around sandboxed bots; NoSandbox if they are not enough."""
        self._ensure_ready()
        return self._walls

    @property
    def wants_more(self) -> bool:
        """Whether to give it the next unit already: it would often have to wait for one."""
        return self._is_quick and self._unit is not None and self._ahead is None

    def give(self, unit: Unit) -> None:
        """Hand a unit to the worker, if it is idle, or the one after that; Void if it cannot be started."""
        self._ensure_ready()
        if self._unit is not None:
            self._ahead = unit
            self._write((unit.pack(), 0, False))
            return
        self._status.game = 0  # none of its games is begun
        self._begin(unit)
        self._send()

    def _begin(self, unit: Unit | None) -> None:
        self._unit, self._done, self._again = unit, 0, None
        self._is_deadly = False  # whether a worker was lost in many games of this unit at once
        self._given = time.monotonic()

    def stop(self) -> None:
        """Tell the worker to begin no more games."""
        self._status.is_stopping = 1

    def take(self, cut: deque[Unit]) -> Finished:
        """Return the games that have come back; the rest of a unit that was cut short is added to `cut`.

        A worker that is gone is replaced.
        """
        try:
            message = pickle.loads(self.pipe.recv_bytes())  # written by our own worker
        except (EOFError, OSError):
            return hand_back(self._replace_worker(*self._how_it_ended()))
        if isinstance(message, UserError):
            raise message
        self._heard = time.monotonic()
        if message is None:
            assert self._unit is not None
            if self._done < len(self._unit.specs):
                cut.append(self._unit._replace(specs=self._unit.specs[self._done :]))
            self._is_quick = self._heard - self._given < QUICK_SECONDS
            self._begin(self._ahead)
            self._ahead = None
            return hand_back([])
        found = Finished.unpack(*message)
        self._done += found.games
        return found

    def supervise(self) -> list[Played]:
        """End a worker whose trusted bot can no longer be interrupted from inside."""
        if self._unit is None:
            return []
        if time.monotonic() - self._heard > longest_game(self._unit.specs[0].limits):
            return self._replace_worker(Failure(Ending.TIMEOUT, "stopped responding"), is_its_own=False)
        if self._status.doing == Doing.NOTHING or self._unit.isolation != "trusted":
            self._asked_since = None
            return []
        asked = self._status.asked
        cpu = self._cpu_seconds()
        if self._asked_since is None or self._asked_since[0] != asked:
            self._asked_since = (asked, cpu, time.monotonic())
            return []
        limits = self._unit.specs[0].limits
        allowed = limits.move_seconds if self._status.doing == Doing.ASKING else limits.start_seconds
        used, waited = cpu - self._asked_since[1], time.monotonic() - self._asked_since[2]
        # The timer inside the worker interrupts what it can; this is for what it cannot interrupt.
        if (used > allowed and waited > patience(allowed) + 1) or waited > longest_wait(allowed):
            late = Failure(Ending.TIMEOUT, f"gave no answer within {allowed:g} s of CPU")
            return self._replace_worker(late, is_its_own=self._status.doing != Doing.TOGETHER)
        return []

    def _cpu_seconds(self) -> float:
        try:
            return time.clock_gettime(cpu_clock(self.pid))
        except OSError:
            return 0.0  # it has ended, which the next read finds out

    def leave(self) -> None:
        """Let an idle worker end by itself, so that it can tidy up; end a busy one."""
        if self.is_idle:
            self.pipe.close()
            self._process.join(2)
        self.end()

    def end(self) -> None:
        """End the process, and tidy up after it; the kernel then ends its template and its bots."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self._process.join()
        self.pipe.close()
        remove_what_is_left_of(self.pid)

    def _launch(self) -> None:
        """Start a worker, without waiting for it: others are started meanwhile."""
        self.pipe, theirs = CONTEXT.Pipe()
        self._status = CONTEXT.RawValue(Status)
        given = (theirs, self._status, self._core, self._is_sandboxed)
        self._process = CONTEXT.Process(target=_work, args=given, daemon=True)
        with without_main():
            self._process.start()
        theirs.close()

    def _ensure_ready(self) -> None:
        """Wait until the worker is ready; Void if several in a row do not become it."""
        for attempt in range(MOST_STARTS):
            if attempt:
                self._launch_again()
            self._is_ready = self._is_ready or self._hears_ready()
            if self._is_ready:
                return
        raise Void("a worker process could not be started")

    def _launch_again(self) -> None:
        is_stopping = self._status.is_stopping
        self.end()
        self._is_ready = False
        self._launch()
        self._status.is_stopping = is_stopping

    def _hears_ready(self) -> bool:
        try:
            if not self.pipe.poll(START_SECONDS):
                return False
            message = pickle.loads(self.pipe.recv_bytes())  # written by our own worker
        except (EOFError, OSError):
            return False
        if isinstance(message, UserError):
            raise message
        self._walls = message
        return True

    def _send(self) -> None:
        self._heard = time.monotonic()
        # After a worker was lost, each game is handed back by itself, so that we know which one was lost.
        is_careful = self._again is not None or self._is_deadly
        assert self._unit is not None
        self._write((self._unit.pack(), self._done, is_careful))

    def _write(self, message: object) -> None:
        with contextlib.suppress(OSError):  # it has ended, which the next read finds out
            self.pipe.send_bytes(pickle.dumps(message))

    def _how_it_ended(self) -> tuple[Failure, bool]:
        """Return what a trusted bot has done if it was being asked, and whether it alone can have done it."""
        self._process.join(EXIT_SECONDS)
        code = self._process.exitcode
        if code is None:
            return Failure(Ending.CRASH, "closed the pipe of its worker process"), True
        if code < 0:
            return ended_by(-code), not is_from_outside(-code)
        return Failure(Ending.CRASH, f"ended its process with exit code {code}"), code != UNKNOWN_EXIT

    def _replace_worker(self, failure: Failure, is_its_own: bool) -> list[Played]:
        """Replace a worker; the game that it was playing is some bot's loss, or is played again."""
        last = self._status.copy()
        self._launch_again()
        self._ensure_ready()
        self._asked_since = None
        if self._unit is None:
            return []
        found = self._settle(last, failure, is_its_own)
        if self._done < len(self._unit.specs):
            self._send()
        else:
            self._unit = None
        if self._ahead is not None:  # it was lost with the worker, and none of its games was begun
            ahead, self._ahead = self._ahead, None
            self.give(ahead)
        return found

    def _settle(self, last: Status, failure: Failure, is_its_own: bool) -> list[Played]:
        """Return what happens to the games that were lost with a worker: a loss or a void, and traces."""
        assert self._unit is not None
        self._is_deadly |= last.doing == Doing.TOGETHER
        is_asked = self._unit.isolation == "trusted" and last.doing in (Doing.BEGINNING, Doing.ASKING)
        # Games that were finished but not handed back are played again too.
        begun = self._unit.specs[self._done : last.game + last.in_play]
        again: list[Played] = [replay(spec, "", "the worker process ended") for spec in begun]
        if (is_asked and is_its_own) or self._again == self._done:
            number = last.game if is_asked else self._done
            before = again[: number - self._done]
            return [*before, self._give_up(last, failure, number)]
        self._again = last.game if last.in_play else self._done
        if is_asked:
            again[-1] = _asked_again(begun[-1], last, failure)
        return again

    def _give_up(self, last: Status, failure: Failure, number: int) -> Played:
        """Take a game out of the unit: it is a loss if a trusted bot was being asked, else void."""
        assert self._unit is not None
        specs = self._unit.specs
        spec = specs[number]
        self._unit = self._unit._replace(specs=specs[self._done : number] + specs[number + 1 :])
        self._done, self._again = 0, None
        if self._unit.isolation != "trusted" or last.doing in (Doing.NOTHING, Doing.TOGETHER):
            return Spoilt(spec, "the worker process ended twice")
        if last.doing == Doing.ASKING:
            position = spec.variant.replay(last.moves[: last.plies])
            outcome = forfeit(position, failure)
        else:
            position = spec.variant.replay(spec.opening)
            outcome = no_start(last.side, failure.detail)
        return record(spec, position, outcome, nothing_spent(), "trusted")


def _asked_again(spec: GameSpec, last: Status, failure: Failure) -> Replay:
    """Return the trace of a game whose trusted bot was lost with its worker, perhaps by somebody outside."""
    when = f"at ply {last.plies + 1}" if last.doing == Doing.ASKING else "when it was begun"
    return replay(spec, (spec.first, spec.second)[last.side], f"{failure.detail} {when}")


def longest_game(limits: Limits) -> float:
    """Return the seconds after which even the slowest game has ended: far more than any clock allows."""
    return 2 * (longest_wait(limits.game_seconds) + longest_wait(limits.start_seconds)) + START_SECONDS


@contextmanager
def without_main() -> Iterator[None]:
    """Start a process that imports neither the caller's script nor what lies in the working directory.

    There may be strangers' files, and one called `json.py` would be run by the fork server. It also ignores
    Ctrl-C while it starts; otherwise it would print a traceback.
    """
    main, is_safe = sys.modules["__main__"], os.environ.get(SAFE_PATH)
    sys.modules["__main__"] = ModuleType("__main__")
    os.environ[SAFE_PATH] = "1"
    resource_tracker.ensure_running()  # first: when it starts, it lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if is_safe is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = is_safe
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        sys.modules["__main__"] = main


def _work(pipe: Any, status: Status, core: int, is_sandboxed: bool) -> None:
    """Play units until there are no more; runs in the worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    if machine() is not None:
        from arena.sandbox.confine import die_with_parent

        die_with_parent()
    worker = Worker(status)
    try:
        pipe.send_bytes(pickle.dumps(worker.prepare() if is_sandboxed else ""))
        while True:
            packed, first, is_careful = pickle.loads(pipe.recv_bytes())  # from our own coordinator
            games = worker.play(Unit.unpack(*packed), first, is_careful, UNIT_SECONDS)
            for played in batches(games, 0.0 if is_careful else BATCH_SECONDS):
                pipe.send_bytes(pickle.dumps(hand_back(played).pack()))
            status.game = 0  # the next unit may be there already
            pipe.send_bytes(pickle.dumps(None))
    except (EOFError, ConnectionError):
        pass  # the coordinator is gone, or does not need us any more
    except UserError as error:
        pipe.send_bytes(pickle.dumps(error))
    finally:
        worker.close()
