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
from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache
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
from arena.referee.game import Row
from arena.referee.row import cells_of
from arena.sandbox.syscalls import machine
from arena.solver.grades import GameGrades, Grader

PATIENCE_SECONDS = 0.5
"""So long games are graded in this process, before others are started."""

MOST_REMEMBERED = 1 << 16
"""How many games' grades are remembered in memory, each a few hundred bytes."""


class Batch(NamedTuple):
    """Games of one variant that are to be graded."""

    variant: Variant
    games: list[Ungraded]


class IllegalGame(Exception):  # noqa: N818 - it is the log's error, not ours
    """A game of a log that the rules do not allow; its one argument is the game's id."""


def grade_batches(batches: Iterable[Batch], workers: int = 0) -> Generator[list[GradeRow]]:
    """Yield the grades of all batches, in any order; IllegalGame if the rules do not allow one."""
    own, left, begun = Graders(), iter(batches), time.monotonic()
    for batch in left:
        yield own.grade(batch)
        if workers != 1 and time.monotonic() - begun > PATIENCE_SECONDS:
            yield from _grade_elsewhere(left, workers or len(own_cores()), own)


def _grade_elsewhere(left: Iterator[Batch], workers: int, own: Graders) -> Iterator[list[GradeRow]]:
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
            for pipe in wait(list(busy)):
                process = busy.pop(pipe)
                rows = process.take()
                if rows is None:  # it was lost
                    process.end()
                    yield own.grade(process.batch)
                else:
                    idle.append(process)
                    yield rows
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

    def take(self) -> list[GradeRow] | None:
        """Return the grades of its batch, None if it has ended."""
        try:
            found = pickle.loads(self.pipe.recv_bytes())  # written by our own process
        except (EOFError, OSError):
            return None
        if isinstance(found, IllegalGame):
            raise found
        return [GradeRow(*row) for row in found]

    def end(self) -> None:
        """End it at once: it has nothing that is worth keeping."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        self.pipe.close()


def _work(pipe: Any) -> None:
    """Grade batches until there are no more; runs in the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if machine() is not None:
        from arena.sandbox.confine import die_with_parent

        die_with_parent()
    graders = Graders()
    with contextlib.suppress(EOFError, BrokenPipeError):  # the coordinator is gone
        while True:
            batch = Batch(*pickle.loads(pipe.recv_bytes()))  # from our own coordinator
            try:
                found: object = [tuple(row) for row in graders.grade(batch)]
            except IllegalGame as error:
                found = error
            pipe.send_bytes(pickle.dumps(found))


class Graders:
    """A grader for each variant, made when it is needed."""

    def __init__(self) -> None:
        self._graders: dict[str, Grader] = {}
        self._found = lru_cache(MOST_REMEMBERED)(self._grade_game)  # small boards see most games again

    def grade(self, batch: Batch) -> list[GradeRow]:
        """Return the grades of a batch."""
        text = define(batch.variant)
        if text not in self._graders:
            self._graders[text] = Grader(batch.variant)
        return [self._grade(text, game) for game in batch.games]

    def _grade(self, definition: str, game: Ungraded) -> GradeRow:
        try:
            found = self._found(definition, *game[3:])
        except (IllegalMove, ValueError):  # the latter for a number of thousands of digits
            raise IllegalGame(game.game) from None
        return GradeRow(game.game, *game[2:], *found)

    def _grade_game(
        self, definition: str, moves: str, opening_plies: int, ending: str, is_won_by_first: int
    ) -> Row:
        """Return the fields of a GradeRow that say what was found."""
        # A bot that did not start made no move that could be graded.
        is_asked = ending not in (Ending.NO_MOVES, Ending.NO_START)
        winner = 0 if is_won_by_first else 1
        found = self._graders[definition].game(cells_of(moves), opening_plies, winner, is_asked)
        throws = " ".join(map(str, sorted(found.throws(0) + found.throws(1))))
        return *_of_side(found, 0), *_of_side(found, 1), found.start, found.stood, throws


def _of_side(found: GameGrades, side: int) -> Row:
    chances = found.chances(side)
    counts = found.count_kept(side), found.count_graded(side)
    return *counts, sum(chances), len(chances), len(found.throws(side))
