"""Checks many bots side by side: one worker process for each core, each with a template of its own.

A worker takes the next bot when it has finished one. It is forked from this process, which has imported all
that it needs. If it is lost, which a trusted bot can bring about, that bot has failed, and another worker
goes on with the rest. Refused: threads. The work around a game is Python, and half of the time of a check.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from arena.bots.naming import own_name
from arena.bots.source import Source
from arena.checking.check import Asked, Check, Step
from arena.errors import UserError
from arena.executors.local import own_cores
from arena.leftovers import remove_what_is_left_of
from arena.sandbox.syscalls import machine
from arena.sandbox.template import Template

EXIT_SECONDS = 2


class Verdict(NamedTuple):
    """What a check has found out about one bot; there is no source if it cannot be read."""

    text: str  # what the user typed
    path: Path | None
    source: Source | None
    steps: tuple[Step, ...]
    is_repeatable: bool
    suggested: str = ""  # a name, if its own will not do

    @property
    def is_passed(self) -> bool:
        """Whether every step was passed."""
        return all(step.is_passed for step in self.steps)

    @property
    def name(self) -> str | None:
        """The name under which it was checked; None if it cannot be read, or its own name will not do."""
        return self.source.name if self.source is not None and not self.suggested else None

    @property
    def is_renamed(self) -> bool:
        """Whether it was checked under another name than its file's."""
        return None not in (self.name, self.path) and self.name != own_name(self.path or Path())


def give_verdict(check: Check, steps: Sequence[Step]) -> Verdict:
    """Return what a check that has ended has found out."""
    return Verdict(
        check.text, check.path, check.source, tuple(steps), check.is_repeatable, check.suggested_name
    )


def check_many(bots: Sequence[Asked], isolation: str, here: Path, workers: int = 0) -> Iterator[Verdict]:
    """Yield the verdicts as they come, not in the order of the bots; by default on all cores."""
    cores = own_cores()
    count = min(workers or len(cores), len(bots))
    waiting = deque(bots)
    hands = [_Hand(cores[number % len(cores)], isolation, here) for number in range(count)]
    try:
        for hand in hands:
            hand.give(waiting.popleft())
        while busy := {hand.pipe: hand for hand in hands if hand.asked is not None}:
            for pipe in wait(list(busy)):
                hand = busy[pipe]  # type: ignore[index]
                yield hand.take()
                if waiting:
                    hand.give(waiting.popleft())
    finally:
        for hand in hands:
            hand.leave()


class _Hand:
    """One worker process seen from here, and the bot that it checks."""

    def __init__(self, core: int, isolation: str, here: Path) -> None:
        self._setting = core, isolation, here
        self.asked: Asked | None = None
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self.pipe, *self._setting), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, asked: Asked) -> None:
        """Let it check a bot."""
        self.asked = asked
        self.pipe.send(asked)

    def take(self) -> Verdict:
        """Return the verdict that has come; UserError if bots cannot be checked here at all."""
        assert self.asked is not None
        text, self.asked = self.asked.text, None
        try:
            found = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            found = self._lost(text)
        if isinstance(found, UserError):
            raise found
        assert isinstance(found, Verdict)
        return found

    def _lost(self, text: str) -> Verdict:
        self._process.join()
        code = self._process.exitcode
        self.end()
        self._start()
        step = Step("can be checked", False, f"the process that checked it ended with exit code {code}")
        return Verdict(text, None, None, (step,), True)

    def leave(self) -> None:
        """Let an idle worker end by itself, so that it can tidy up; end a busy one."""
        if self.asked is None:
            with contextlib.suppress(BrokenPipeError):  # it has ended already
                self.pipe.send(None)
            self._process.join(EXIT_SECONDS)
        self.end()

    def end(self) -> None:
        """End the process, and tidy up after it; the kernel then ends its template and its bots."""
        self._process.kill()
        self._process.join()
        self.pipe.close()
        assert self._process.pid is not None
        remove_what_is_left_of(self._process.pid)


def _work(pipe: Connection, parents: Connection, core: int, isolation: str, here: Path) -> None:
    """Check bots until there are no more; runs in the worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    parents.close()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    if machine() is not None:
        from arena.sandbox.confine import die_with_parent

        die_with_parent()
    with closing(Template()) as template:
        try:
            while (asked := pipe.recv()) is not None:
                check = Check(asked, isolation, template, here)
                pipe.send(give_verdict(check, list(check.steps())))
        except (EOFError, BrokenPipeError):
            return  # the parent is gone
        except UserError as error:
            pipe.send(error)
