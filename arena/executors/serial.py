"""The serial executor: one worker, in this process. For few games, and for looking at what happens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.executors.unit import Played, Unit
from arena.executors.worker import Worker


class SerialExecutor:
    """Plays units one after the other in this process."""

    def __init__(self, workers: int = 1) -> None:
        self._worker = Worker()

    def play(self, units: Iterable[Unit]) -> Iterator[Played]:
        """Yield the games of all units in order."""
        for unit in units:
            yield from self._worker.play(unit)

    def close(self) -> None:
        """End the worker's template."""
        self._worker.close()
