"""The feed of a run: looks at its log while somebody reads, and publishes what has changed.

The strip is drawn every second; the tables, which take longer, as often as their share of a core allows.
All readers share what was drawn. Nothing is drawn while nobody reads, or while the log stays as it is.
"""

from __future__ import annotations

import asyncio
import gzip
import time
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from arena.errors import ArenaError
from arena.log.cache import state_of, state_of_neighbour
from arena.log.grades import borrow_neighbour
from arena.log.reading import Log
from arena.pages.live import Hosted, Now, draw_strip, draw_tables, make_live_page, make_waiting, tell_now
from arena.results.finding import changed_at
from arena.results.progress import read_progress
from arena.results.run import Run
from arena.web.desk import Desk, Share
from arena.web.news import Edition, News
from arena.web.shelf import Made

STRIPS, TABLES = 1 / 40, 1 / 12
"""Shares of a core; with those of the pages, of bots' pages and of what can be played a fifth in all."""

LOOK_SECONDS = 0.25
"""How often files are looked at for a change, which costs nothing."""

QUIET_SECONDS = 20.0
"""Nobody seems to play a run whose log has not changed for so long."""

WINDOW_SECONDS = 30.0
"""Speed is that of so many last seconds."""


RELOAD_SECONDS = 5
"""A page of a contest that has not begun is loaded anew by itself so often: it has no news, and no form."""


class Page(NamedTuple):
    """A page as it is sent, plain or compressed; after some seconds browsers load it anew, if it says so."""

    plain: bytes
    packed: bytes
    reload_seconds: int | None = None


def pack(html: str) -> Page:
    """Return a page as it is sent."""
    return Page(html.encode(), gzip.compress(html.encode(), 6, mtime=0))


def pack_waiting(name: str, hosted: Hosted) -> Page:
    """Return the page of a contest that has not begun."""
    return pack(make_waiting(name, hosted))._replace(reload_seconds=RELOAD_SECONDS)


class Reader:
    """Somebody who reads: is woken when there is something new, or when it is gone itself."""

    def __init__(self, client: str = "") -> None:
        self.client, self.wake = client, asyncio.Event()


class Feed:
    """What is known of one run, and who reads it."""

    def __init__(
        self,
        folder: Path,
        desk: Desk,
        count_others: Callable[[], int],
        tell_hosted: Callable[[], Hosted | None] = lambda: None,
    ) -> None:
        self.folder, self.edition = folder, Edition()
        self.readers: set[Reader] = set()
        self._desk, self._count_others, self._tell_hosted = desk, count_others, tell_hosted
        self._strips, self._tables = Share(STRIPS), Share(TABLES)
        self._seen: dict[str, object] = {}  # what the files were when a part was drawn
        self._speed = Speed()
        self._task: asyncio.Task[None] | None = None

    def join(self, client: str = "") -> Reader:
        """Let somebody read, by the address; the feed begins to look at the log."""
        reader = Reader(client)
        self.readers.add(reader)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow())
        return reader

    def leave(self, reader: Reader) -> None:
        """Let a reader go; nobody looks at the log for nobody."""
        self.readers.discard(reader)

    async def draw_page(self) -> Made[Page]:
        """Return the page of the run, drawn anew; ArenaError if the run cannot be read."""
        state = self.page_state()
        (page, news), seconds = await self._desk.compute(self._make_page)
        # So no reader is sent tables that are older than the page that it has just got.
        self._publish(news)
        return Made(page, state, seconds)

    def page_state(self) -> object:
        """Return what the page rests on now."""
        hosted = self._tell_hosted()
        return self.state(), hosted and hosted.words

    async def _follow(self) -> None:
        while self.readers:
            try:
                await self._look("strip", self._strips, self._make_strip)
                await self._look("tables", self._tables, self._make_tables)
            except (ArenaError, OSError):
                pass  # it is being made, moved or deleted; whoever loads the page is told
            except Exception:  # a bug of ours; readers stay, and the server goes on
                traceback.print_exc()
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self, name: str, share: Share, make: Callable[[], News]) -> None:
        """Have a part drawn if the log has changed and its share allows it."""
        state = (self.state(), name == "strip" and (self._is_quiet(), self._tell_hosted()))
        if self._seen.get(name) == state or not share.is_due(time.monotonic()):
            return
        self._seen[name], seconds = state, 0.1  # if it fails
        try:
            news, seconds = await self._desk.compute(make)
            self._publish(news)
        finally:
            share.note(time.monotonic(), seconds, self._count_others())

    def _publish(self, news: News) -> None:
        edition = self.edition.next(news)
        if edition is not self.edition:
            self.edition = edition
            for reader in self.readers:
                reader.wake.set()

    def state(self) -> tuple[str, str]:
        """Return what the files of the run are now; it changes with every write."""
        return state_of(self.folder), state_of_neighbour(self.folder)

    def _is_quiet(self) -> bool:
        return time.time() - changed_at(self.folder) > QUIET_SECONDS

    # What the desk does.

    def _open(self) -> Run:
        return Run(self.folder, is_whole=False)

    def _tell_now(self, run: Run) -> Now:
        progress = read_progress(run)
        speed = self._speed.note(time.monotonic(), progress.played)
        return tell_now(progress, speed, changed_at(self.folder), self._is_quiet(), self._tell_hosted())

    def _make_strip(self) -> News:
        return _news_of_strip(self._tell_now(self._open()))

    def _make_tables(self) -> News:
        borrow_neighbour(self.folder)
        return draw_tables(self._open(), address_of(self.folder.name))._asdict()

    def _make_page(self) -> tuple[Page, News]:
        """Return the page, and the news that it has already."""
        hosted = self._tell_hosted()
        if hosted is not None and not self._has_plan():
            return pack_waiting(self.folder.name, hosted), {}
        borrow_neighbour(self.folder)
        run = self._open()
        now = self._tell_now(run)
        home = address_of(self.folder.name)
        return pack(make_live_page(run, home, now)), draw_tables(run, home)._asdict() | _news_of_strip(now)

    def _has_plan(self) -> bool:
        """Whether anything was planned: a contest makes its log a little earlier."""
        with closing(Log(self.folder)) as log:
            return bool(log.fact("field"))


def address_of(name: str) -> str:
    """Return a run's name as a part of an address."""
    return quote(name, safe="")


def _news_of_strip(now: Now) -> dict[str, Any]:
    return {"strip": draw_strip(now), "isOver": now.is_over}


class Speed:
    """How fast games come, by how many there were a little earlier."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def note(self, now: float, played: int) -> float | None:
        """Note how many there are; return how many come in a second, None if that is not known yet."""
        if self._seen and played < self._seen[-1][1]:  # begun anew
            self._seen.clear()
        self._seen.append((now, played))
        while now - self._seen[0][0] > WINDOW_SECONDS and len(self._seen) > 1:
            self._seen.popleft()
        then, before = self._seen[0]
        return (played - before) / (now - then) if now - then >= 1 and played > before else None
