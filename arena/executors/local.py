"""The local executor: worker processes on this machine, each pinned with its bots to its own core.

Each worker is a process with a pipe, started by a fork server. Refused: a pool, which waits for ever when a
worker is killed. Workers hand back finished games, and after two seconds the rest of their unit, which then
goes to any free worker. If there are fewer units than free workers, units are halved. So no worker waits long
for the last unit of another.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from multiprocess.connection import wait

from arena.executors.hand import Hand
from arena.executors.unit import Finished, Machine, Unit, hand_back
from arena.referee.game import GameSpec

TICK_SECONDS = 0.1


class LocalExecutor:
    """Plays units in as many worker processes as asked for; by default one for each core.

    If bots will be sandboxed, workers get ready for that as they start.
    """

    def __init__(
        self, workers: int = 0, is_sandboxed: bool = False, cores: Sequence[int] | None = None
    ) -> None:
        cores = cores or own_cores()
        count = workers or len(cores)
        self._is_stopping = False
        self._workers = [Hand(cores[number % len(cores)], is_sandboxed) for number in range(count)]

    def walls(self) -> str:
        """Return the walls around sandboxed bots; they are the same for all workers of a machine."""
        return self._workers[0].walls()

    @property
    def workers(self) -> int:
        """How many units are played at once."""
        return len(self._workers)

    def take_news(self) -> list[str]:
        """Return nothing: everybody is on this machine."""
        return []

    def machines(self) -> list[Machine]:
        """Return nobody."""
        return []

    def games(self) -> list[GameSpec]:
        """Return what is being played now, at most one game for each worker."""
        return [game for hand in self._workers if (game := hand.game) is not None]

    @property
    def is_stopping(self) -> bool:
        """Whether no more games are to be begun."""
        return self._is_stopping

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return [hand.pid for hand in self._workers]

    def play(self, units: Iterable[Unit]) -> Iterator[Finished]:
        """Yield the games of all units as workers finish them."""
        left, cut = iter(units), deque[Unit]()
        while True:
            idle = [hand for hand in self._workers if hand.is_idle]
            for hand, unit in zip(idle, self._next(len(idle), left, cut), strict=False):
                hand.give(unit)
            wanting = [hand for hand in self._workers if hand.wants_more and not self._is_stopping]
            for hand, unit in zip(wanting, left, strict=False):
                hand.give(unit)
            busy = {hand.pipe: hand for hand in self._workers if not hand.is_idle}
            if not busy:
                return
            for pipe in wait(list(busy), TICK_SECONDS):
                yield busy[pipe].take(cut)
            yield hand_back(game for hand in self._workers for game in hand.supervise())

    def play_part(self, unit: Unit) -> Finished:
        """Return what one worker plays of a unit in one go, about two seconds; the rest is left."""
        hand, found = self._workers[0], hand_back([])
        hand.give(unit)
        while not hand.is_idle:
            if wait([hand.pipe], TICK_SECONDS):
                found.extend(hand.take(deque()))
            found.extend(hand_back(hand.supervise()))
        return found

    def _next(self, count: int, left: Iterator[Unit], cut: deque[Unit]) -> list[Unit]:
        """Return what idle workers play next: rests of units first, halved if there are too few."""
        if self._is_stopping:
            return []
        units = [cut.popleft() for _ in range(min(count, len(cut)))]
        units += islice(left, count - len(units))
        while units and len(units) < count:
            units.sort(key=lambda unit: len(unit.specs))
            if len(units[-1].specs) == 1:
                break
            units += halves(units.pop())
        return units

    def stop(self) -> None:
        """Begin no more games; workers finish those they are playing."""
        self._is_stopping = True
        for hand in self._workers:
            hand.stop()

    def close(self) -> None:
        """End all workers, and with them their bots."""
        for hand in self._workers:
            hand.leave()


def halves(unit: Unit) -> list[Unit]:
    """Return a unit of several games as two."""
    middle = (len(unit.specs) + 1) // 2
    return [unit._replace(specs=unit.specs[:middle]), unit._replace(specs=unit.specs[middle:])]


def own_cores() -> list[int]:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
