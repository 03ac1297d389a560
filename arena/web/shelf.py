"""A shelf: what was made for people is kept there, and is made anew only if it has changed and there is time.

What is not there is made when it is asked for, one thing after the other, and whoever asks for the same
meanwhile waits for that one. So nobody makes a server compute more by asking more often, or for more things
in turn than are kept. Some CPU may be taken ahead of the share: where little was asked for before, nobody
waits. What nobody has yet may be taken further ahead than what is only to be newer.

Used in the thread of the event loop; what is made is computed at a desk.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

from arena.errors import ArenaError
from arena.web.asking import Refused
from arena.web.desk import Share

PATIENCE_SECONDS = 20.0
"""So long somebody waits for what is not there; then it is said that it takes longer."""

NEWER_AHEAD, NEW_AHEAD = 10.0, 30.0
"""Seconds of CPU that may be taken ahead, for something newer and for what nobody has yet."""

FAILED_SECONDS = 0.1
LOOK_SECONDS = 0.25

BUSY = "This page takes longer than usual: much is asked for at the moment. It is being made; try again soon."

T = TypeVar("T")


class Made(NamedTuple, Generic[T]):
    """Something that was made, the state that it rests on, and the seconds of CPU that it took."""

    value: T
    state: object
    seconds: float


class _Kept(NamedTuple, Generic[T]):
    """What was made, or why it could not be; of what state, and when."""

    value: T | Exception
    state: object
    at: float

    def give(self) -> T:
        if isinstance(self.value, Exception):
            raise self.value.with_traceback(None)  # it would be the same again
        return self.value


class Shelf(Generic[T]):
    """Things by their keys: so many are kept, and each rests for some seconds before it is made anew."""

    def __init__(self, share: Share, most: int, rest_seconds: float = 1.0) -> None:
        self._share, self._most, self._rest_seconds = share, most, rest_seconds
        self._kept: OrderedDict[Hashable, _Kept[T]] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[T]] = {}
        self._turn = asyncio.Lock()

    async def get(
        self, key: Hashable, look: Callable[[], object], make: Callable[[], Awaitable[Made[T]]]
    ) -> T:
        """Return what has this key, as it is now or as it was lately; `look` says what it would rest on now.

        ArenaError or OSError if it cannot be made. Refused if that takes too long, and there is none to show.
        """
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            if kept.state == look() or not self._is_due(kept):
                return kept.give()
        if key not in self._making:
            self._making[key] = asyncio.create_task(self._make_in_turn(key, look, make))
            self._making[key].add_done_callback(lambda done: self._note_done(key, done))
        # Whoever asks again finds what was made meanwhile: it goes on when nobody waits any more.
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await asyncio.shield(self._making[key])
        except TimeoutError:
            if kept is not None:
                return kept.give()
            raise Refused(503, BUSY) from None

    def _is_due(self, kept: _Kept[T]) -> bool:
        """Whether there is time for a newer one; what could not be made is tried again as if it were new."""
        if isinstance(kept.value, Exception):
            return True
        now = time.monotonic()
        return now - kept.at >= self._rest_seconds and self._share.ahead(now) <= NEWER_AHEAD

    def _note_done(self, key: Hashable, done: asyncio.Task[T]) -> None:
        del self._making[key]
        if not done.cancelled():
            done.exception()  # whoever still waits is told; otherwise it is nobody's

    async def _make_in_turn(
        self, key: Hashable, look: Callable[[], object], make: Callable[[], Awaitable[Made[T]]]
    ) -> T:
        async with self._turn:
            while self._share.ahead(time.monotonic()) > NEW_AHEAD:
                await asyncio.sleep(LOOK_SECONDS)
            state, seconds = look(), FAILED_SECONDS
            value: T | Exception
            try:
                value, state, seconds = await make()
            except (ArenaError, OSError) as error:
                value = error
            finally:
                self._share.note(time.monotonic(), seconds)
            kept = self._kept[key] = _Kept(value, state, time.monotonic())
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return kept.give()
