"""Grading in worker processes: what takes longer than a moment is spread over the cores.

A batch is games of one variant. Its grades depend on nothing else, so batches may be graded anywhere, in any
order, and twice. Each process remembers the positions that it has solved. A process that is lost costs only
time: its batch is graded here. Refused: a pool of the standard library, which cannot be ended at once while
its processes are busy, as Ctrl-C must.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from multiprocess.connection import wait

from arena.errors import IllegalMove
from arena.executors.hand import CONTEXT, without_main
from arena.executors.local import own_cores
from arena.game import Variant
from arena.game.definition import define
from arena.log.cache import GradeRow
from arena.log.grades import Ungraded
from arena.referee.endings import Ending
from arena.referee.row import cells_of
from arena.sandbox.syscalls import machine
from arena.solver.grades import Grader, Pair
from arena.solver.solver import follow

PATIENCE_SECONDS = 0.1
"""So long games are graded in this process, before others are started."""

SIGN_SECONDS = 0.5
"""So often the caller hears of grading, also while no batch is done."""

SMALL = 32
"""Cells of a board whose games take about a millisecond each; on larger ones a game may take seconds."""


class Batch(NamedTuple):
    """Games of one variant that are to be graded, those that went alike as one."""

    variant: Variant
    games: list[Ungraded]


class Graded(NamedTuple):
    """The grades of a batch, and how many games they are for."""

    games: int
    rows: list[GradeRow]


class IllegalGame(Exception):  # noqa: N818 - it is the log's error, not ours
    """A game of a log that the rules do not allow; its one argument is the game's id."""


class WrongGrade(Exception):  # noqa: N818 - it is somebody else's error
    """A worker has sent a grade that is wrong, so what it sent before may be wrong too."""


Elsewhere = Callable[[Iterator[Batch], "Graders"], Iterator[Graded]]
"""Who grades what takes longer than a moment; the graders of this process may help."""


def grade_batches(
    batches: Iterable[Batch], workers: int = 0, elsewhere: Elsewhere | None = None
) -> Generator[Graded]:
    """Yield the grades of all batches, in any order; IllegalGame if the rules do not allow one.

    What takes long is graded by processes here, as many as asked for, if nobody else is named.
    """
    own, left, begun = Graders(), iter(batches), time.monotonic()
    for batch in left:
        is_long = batch.variant.board.size > SMALL or time.monotonic() - begun > PATIENCE_SECONDS
        if elsewhere is not None and is_long:
            yield from elsewhere(chain([batch], left), own)
        elif workers != 1 and is_long:
            yield from grade_in_processes(chain([batch], left), workers or len(own_cores()), own)
        else:
            yield own.grade(batch)


def grade_in_processes(left: Iterator[Batch], workers: int, own: Graders) -> Iterator[Graded]:
    """Yield the grades of batches that processes work on; as many are started as there are batches."""
    idle: list[_Process] = []
    busy: dict[Any, _Process] = {}
    try:
        while True:
            while len(busy) < workers and (batch := next(left, None)) is not None:
                process = idle.pop() if idle else _Process()
                process.give(batch)
                busy[process.pipe] = process
            if not busy:
                return
            ready = wait(list(busy), SIGN_SECONDS)
            if not ready:
                yield Graded(0, [])  # so that the caller can show that this goes on
            for pipe in ready:
                process = busy.pop(pipe)
                graded = process.take()
                if graded is None:  # it was lost
                    process.end()
                    yield own.grade(process.batch)
                else:
                    idle.append(process)
                    yield graded
    finally:
        for process in chain(idle, busy.values()):
            process.end()


class _Process:
    """A process that grades, seen from here."""

    batch: Batch

    def __init__(self) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_work, args=(theirs,), daemon=True)
        with without_main():
            self._process.start()
        theirs.close()

    def give(self, batch: Batch) -> None:
        """Hand it a batch; if it has ended, `take` finds that out."""
        self.batch = batch
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(pickle.dumps(batch))

    def take(self) -> Graded | None:
        """Return the grades of its batch, None if it has ended."""
        try:
            found = pickle.loads(self.pipe.recv_bytes())  # written by our own process
        except (EOFError, OSError):
            return None
        if isinstance(found, IllegalGame):
            raise found
        return Graded(*found)

    def end(self) -> None:
        """End it at once: it has nothing that is worth keeping."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        self.pipe.close()


def be_helper() -> None:
    """Leave Ctrl-C to the coordinator, and end when it ends; for a process that has just started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if machine() is not None:
        from arena.sandbox.confine import die_with_parent

        die_with_parent()


def _work(pipe: Any) -> None:
    """Grade batches until there are no more; runs in the process."""
    be_helper()
    graders = Graders()
    with contextlib.suppress(EOFError, BrokenPipeError):  # the coordinator is gone
        while True:
            batch = Batch(*pickle.loads(pipe.recv_bytes()))  # from our own coordinator
            try:
                found: object = tuple(graders.grade(batch))
            except IllegalGame as error:
                found = error
            pipe.send_bytes(pickle.dumps(found))


class Graders:
    """A grader for each variant, made when it is needed."""

    def __init__(self) -> None:
        self._graders: dict[str, Grader] = {}

    def grade(self, batch: Batch) -> Graded:
        """Return the grades of a batch."""
        text = define(batch.variant)
        if text not in self._graders:
            self._graders[text] = Grader(batch.variant)
        grader = self._graders[text]
        paths = [_follow(batch.variant, alike) for alike in batch.games]
        grader.learn(chain.from_iterable(paths))
        rows = [_grade(grader, *pair) for pair in zip(batch.games, paths, strict=True)]
        return Graded(sum(alike.games for alike in batch.games), rows)


def _follow(variant: Variant, alike: Ungraded) -> list[Pair]:
    """Return what could be claimed after the opening of a game, and after each move."""
    try:
        return follow(variant, cells_of(alike.moves), alike.opening_plies)
    except (IllegalMove, ValueError):  # the latter for a number of thousands of digits
        raise IllegalGame(alike.game) from None


def _grade(grader: Grader, alike: Ungraded, path: Sequence[Pair]) -> GradeRow:
    winner = 0 if alike.is_won_by_first else 1
    # A bot that did not start was asked for a move only if it was to move.
    plies = alike.opening_plies + len(path) - 1
    is_to_move = alike.ending != Ending.NO_START or plies % 2 != winner
    is_asked = alike.ending != Ending.NO_MOVES and is_to_move
    (first, second), start, stood, throws = grader.tally(path, alike.opening_plies, winner, is_asked)
    return GradeRow(*alike[2:], *first, *second, start, stood, " ".join(map(str, throws)))
