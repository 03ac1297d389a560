"""Tells whoever has handed in a bot what happens to it, as it happens: a page that is sent piece by piece.

Nobody waits for whoever reads it, and nothing depends on them: what is told is looked up, in the book and in
what is being checked.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TypeVar

from arena.checking.check import TITLES
from arena.contest.book import ENTERED, WAITING, Upload
from arena.contest.checks import Progress
from arena.contest.hosted import Contest
from arena.errors import StoreError
from arena.pages.uploads import HEARTBEAT, begin_receipt, draw_line, draw_step
from arena.web.hiding import say_not_now

MOST_FOLLOWED = 200
"""So many pages may be told what happens at once; more are told where to look."""

LOOK_SECONDS, PLACE_SECONDS, HEARTBEAT_SECONDS, FOLLOW_SECONDS = 0.1, 2.0, 5.0, 1800.0
"""How often we look whether something has happened, and for how long.

Three heartbeats that do not come are a connection that is lost, as `submit.css` has it.
"""

STOPPED = "The server is being stopped. Your bot is kept: look at My bot when the server is back."

T = TypeVar("T")


class Teller:
    """Tells authors what happens; used in the thread of the event loop."""

    def __init__(self, contest: Contest) -> None:
        self._contest, self._followed = contest, 0

    async def tell(self, upload: Upload, filename: str) -> AsyncIterator[str]:
        """Yield the page about an upload, piece by piece."""
        before, behind = begin_receipt(self._contest.tournament, upload.name, filename, upload.version)
        yield before + HEARTBEAT
        if self._followed < MOST_FOLLOWED:
            self._followed += 1
            try:
                async for piece in self._follow(upload):
                    yield piece
            except StoreError as error:
                is_ending = self._contest.checks.is_ending
                yield draw_line(STOPPED if is_ending else say_not_now(error, self._contest), "bad")
            finally:
                self._followed -= 1
        else:
            yield draw_line("It waits for its check. Look at My bot in a while.")
        yield behind

    async def _follow(self, upload: Upload) -> AsyncIterator[str]:
        shown, said, is_done = 0, "", False
        async for tick in self._tick(lambda: self._contest.checks.changes):
            if tick is None:
                yield HEARTBEAT
                continue
            now = await elsewhere(self._contest.checks.progress, upload.id)
            is_done = now.state != WAITING
            for number, step in enumerate(now.steps[shown:], shown + 1):
                yield draw_step(number, step)
            shown = len(now.steps)
            if is_done:
                break
            if (under_way := _say_under_way(now)) != said:
                said = under_way
                yield draw_line(said, "now")
        if not is_done:
            yield draw_line("It still waits. Look at My bot in a while.")
        elif now.state == ENTERED:
            yield draw_line(f"passed: {upload.name} plays, in this version", "good")
            async for piece in self._follow_place(upload.name):
                yield piece
        else:
            yield draw_line(
                "FAILED: nothing has changed in the tournament. Mend it, and hand it in again.", "failed"
            )

    async def _follow_place(self, name: str) -> AsyncIterator[str]:
        said = ""
        async for tick in self._tick(lambda: time.monotonic() // PLACE_SECONDS):
            if tick is None:
                yield HEARTBEAT
                continue
            place = await elsewhere(self._contest.place_of, name)
            if place.sentence != said:
                said = place.sentence
                yield draw_line(said, "now")
            if place.is_settled:
                return

    async def _tick(self, look: Callable[[], float]) -> AsyncIterator[float | None]:
        """Yield what something is whenever it has changed, and None now and then; not for ever.

        StoreError if the server ends: what is in the book cannot be read any longer.
        """
        begun = heard = time.monotonic()
        seen: float | None = None
        while time.monotonic() < begun + FOLLOW_SECONDS:
            if self._contest.checks.is_ending:
                raise StoreError(STOPPED)
            now = look()
            if time.monotonic() > heard + HEARTBEAT_SECONDS:
                heard = time.monotonic()
                yield None
            elif now != seen:
                seen = now
                yield now
            else:
                await asyncio.sleep(LOOK_SECONDS)


def _say_under_way(now: Progress) -> str:
    """Return what happens to an upload that has no verdict yet."""
    if now.ahead:
        return f"waits for its check, {now.ahead} before it"
    done = len(now.steps)
    return "is being checked" + (f": {done + 1}. {TITLES[done]} …" if done < len(TITLES) else "")


async def elsewhere(do: Callable[..., T], *values: object) -> T:
    """Return what a function returns that may wait for a disk, in a thread of its own."""
    return await asyncio.get_running_loop().run_in_executor(None, partial(do, *values))
