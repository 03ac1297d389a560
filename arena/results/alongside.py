"""Grading while games are played, by one more process that nobody waits for.

Rows are handed to it as they are committed, as many at a time as it can take. It grades those on small boards
and writes the grades to the cache itself. What it does not keep up with is graded after the games, like all
that happens on large boards. If it is lost, that costs only time.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any

from arena.executors.hand import CONTEXT, without_main
from arena.game import Variant
from arena.log.archive import kept_variant
from arena.log.cache import trust_cache
from arena.log.grades import Ungraded, write_grades
from arena.log.reading import Log
from arena.referee.row import GameRow
from arena.results.graders import SMALL, Batch, Graders, IllegalGame, be_helper

FEWEST = 2_000
"""With fewer games than this, a process takes longer to start than to grade them."""

MOST_AT_ONCE, MOST_WAITING = 5_000, 50_000
"""Games that are handed over in one go, which takes about half a second; and those that wait for it."""

Alike = tuple[str, str, int, str, int]
"""How a game went: variant, moves, plies of the opening, ending, and whether the first bot won."""


class Alongside:
    """The process that grades while games are played, seen from whoever plays."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[tuple[str, Alike]] = []  # ids, and how the games went
        self._process: Any = None
        self._pipe: Any = None
        self._is_busy = self._is_lost = False

    def __enter__(self) -> Alongside:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        if self._process is not None:
            if kind is None:
                self._finish()
            self._end()

    def take(self, rows: Sequence[GameRow]) -> None:
        """Take games that were committed; never waits."""
        if self._is_lost:
            return
        self._waiting += (
            (row.game, (row.variant, row.moves, row.opening_plies, row.ending, int(row.winner == row.first)))
            for row in rows
        )
        del self._waiting[:-MOST_WAITING]
        if self._process is None and len(self._waiting) >= FEWEST:
            self._start()
        if self._process is not None and not self._is_lost:
            self._go_on()

    def _start(self) -> None:
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_work, args=(theirs, str(self._folder)), daemon=True)
        with without_main():
            self._process.start()
        theirs.close()

    def _go_on(self) -> None:
        """Hand over what waits, if the process has nothing to do."""
        with self._noticing_loss():
            if self._is_busy and self._pipe.poll():
                self._pipe.recv_bytes()
                self._is_busy = False
            if self._waiting and not self._is_busy:
                some, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
                self._pipe.send_bytes(pickle.dumps(some))
                self._is_busy = True

    def _finish(self) -> None:
        """Let it grade what it has, and a last helping."""
        with self._noticing_loss():
            for _ in range(2):
                if self._is_busy:
                    self._pipe.recv_bytes()
                    self._is_busy = False
                self._go_on()
            self._pipe.send_bytes(pickle.dumps([]))
            while (state := self._pipe.recv_bytes()) == b"":
                pass
            trust_cache(self._folder, state.decode())

    @contextlib.contextmanager
    def _noticing_loss(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError):
            self._is_lost = True

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        self._pipe.close()


def _work(pipe: Any, folder: str) -> None:
    """Grade what comes until nothing comes; runs in the process. Each helping is answered by nothing."""
    be_helper()
    place = Path(folder)
    with contextlib.suppress(EOFError, BrokenPipeError):  # the coordinator is gone
        variants, graders = _small_variants(place), Graders()
        with write_grades(place) as grades:
            while some := pickle.loads(pipe.recv_bytes()):  # from our own coordinator
                for batch in _batches(some, variants):
                    with contextlib.suppress(IllegalGame):  # said when the rest is graded
                        grades.write(graders.grade(batch).rows)
                grades.commit()
                pipe.send_bytes(b"")
        pipe.send_bytes(grades.state.encode())


def _small_variants(folder: Path) -> dict[str, tuple[Variant, str]]:
    with closing(Log(folder)) as log:
        found = {name: (kept_variant(log, name, version), version) for name, version in log.field().variants}
    return {name: pair for name, pair in found.items() if pair[0].board.size <= SMALL}


def _batches(some: Iterable[tuple[str, Alike]], variants: dict[str, tuple[Variant, str]]) -> Iterator[Batch]:
    """Yield the games of each small variant, those that went alike as one."""
    distinct = {alike: game for game, alike in some}
    for name, (variant, version) in variants.items():
        own = [(game, alike) for alike, game in distinct.items() if alike[0] == name]
        yield Batch(variant, [Ungraded(game, 1, version, *alike[1:]) for game, alike in own])
