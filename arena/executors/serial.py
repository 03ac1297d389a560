"""The serial executor: one worker, in this process. For few games, and for looking at what happens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.executors.unit import Finished, Machine, Unit, hand_back
from arena.executors.worker import Worker, batches
from arena.referee.game import GameSpec


class SerialExecutor:
    """Plays units one after the other in this process."""

    def __init__(self, workers: int = 1, is_sandboxed: bool = False) -> None:
        self._worker = Worker()

    workers = 1

    def take_news(self) -> list[str]:
        """Return nothing: everybody is on this machine."""
        return []

    def machines(self) -> list[Machine]:
        """Return nobody."""
        return []

    def games(self) -> list[GameSpec]:
        """Return nothing: whoever could ask is playing."""
        return []

    def walls(self) -> str:
        """Return the walls around sandboxed bots."""
        return self._worker.prepare()

    def play(self, units: Iterable[Unit]) -> Iterator[Finished]:
        """Yield the games of all units in order."""
        for unit in units:
            yield from map(hand_back, batches(self._worker.play(unit)))
            if self._worker.is_stopping:
                return

    def stop(self) -> None:
        """Begin no more games."""
        self._worker.stop()

    def close(self) -> None:
        """End the worker's template."""
        self._worker.close()
