"""The desk: one thread at which everything is computed, one thing after the other.

So a server never takes more than one core, however many pages are asked for, and nothing that reads logs
needs to be safe among threads. Whoever has something computed rests for a multiple of the CPU that it took:
that is what keeps it below its share of a core.

Refused: a pool of threads, which Python would wait for at the end. Nobody waits for this one: it only reads.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Job(NamedTuple):
    """What is to be computed, and who waits for it."""

    compute: Callable[[], Any]
    answer: asyncio.Future[Any]


class Desk:
    """One thread that computes."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        Thread(target=self._work, daemon=True).start()

    async def compute(self, compute: Callable[[], T]) -> tuple[T, float]:
        """Return what a function returns, and how many seconds of CPU it took; raise what it raises."""
        answer = asyncio.get_running_loop().create_future()
        self._jobs.put(Job(compute, answer))
        done, seconds = await answer
        return done, seconds

    def _work(self) -> None:
        while True:
            compute, answer = self._jobs.get()
            begun = time.thread_time()
            try:
                done = compute(), time.thread_time() - begun
            except BaseException as error:  # it belongs to whoever asked, and the thread lives on
                _call(answer, answer.set_exception, error)
            else:
                _call(answer, answer.set_result, done)


def _call(answer: asyncio.Future[Any], give: Callable[[Any], None], value: object) -> None:
    """Answer in the thread of the one who asked, unless nobody waits any more."""

    def answer_it() -> None:
        if not answer.done():
            give(value)

    loop = answer.get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(answer_it)


class Share:
    """A part of a core: says when something that takes so much CPU may be computed again.

    It is at most once a second, and on average no more than the part. What is asked for by people may be done
    a little ahead of that: `ahead` says how much was.
    """

    def __init__(self, part: float) -> None:
        self._part = part
        self._next = self._rested = 0.0

    def is_due(self, now: float) -> bool:
        """Whether enough time has gone by."""
        return now >= self._next and now >= self._rested

    def ahead(self, now: float) -> float:
        """Return how many seconds of CPU were taken that time has not yet paid for."""
        return max(0.0, self._rested - now) * self._part

    def note(self, now: float, seconds: float, others: int = 0) -> None:
        """Note what it took; it is shared with so many others that do the same."""
        self._next = now + 1
        self._rested = max(self._rested, now) + seconds / self._part * (others + 1)
