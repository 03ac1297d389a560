"""The bots' own pages: `/runs/NAME/bots/BOT`.

A bot's name is compared with those of the run's field and never becomes a path. All pages share one part of a
core: a page that is kept is sent as it is until its turn comes, and a new one waits for its turn. What was
read of a run serves all its bots for a minute, because most of what a page takes is the same for all of them;
but not if a bot has come, gone or been edited.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError
from arena.log.grades import borrow_neighbour
from arena.pages.bot import make_bot_page
from arena.pages.live import say_time
from arena.results.bot import BotPages
from arena.results.run import Run
from arena.web.desk import Share
from arena.web.feed import Feed, Page, address_of, pack
from arena.web.sending import say, send
from arena.web.site import Site

BOTS, AHEAD_SECONDS = 1 / 30, 300.0
"""The share of a core for all pages of bots, and the rest that may be owed: ten seconds of CPU.

So a class that looks at its bots all at once need not wait.
"""

READ_SECONDS = 60.0
"""So long what was read of a run serves for all its bots, though games are played."""

MOST_PAGES = 100
"""So many pages are kept ready, of about 100 KB each."""

PATIENCE_SECONDS = 20.0
"""So long somebody waits for a page that nobody has asked for yet; then it is said that it takes longer."""

BUSY = "This page takes longer than usual: much is asked for at the moment. It is being made; try again soon."


def routes(site: Site) -> list[Route]:
    """Return the addresses of the bots' pages."""
    shelf = Shelf(site)

    async def show_bot(request: Request) -> Response:
        feed = site.find(request.path_params["name"])
        if feed is None:
            raise HTTPException(404)
        try:
            page = await shelf.page(feed, request.path_params["bot"])
        except (ArenaError, OSError) as error:
            name = feed.folder.name
            why = str(error).replace(str(feed.folder), name)  # where runs are kept is nobody's business
            return say(503, name, f"This bot cannot be shown now: {why}.", "../../../")
        except TimeoutError:
            busy = say(503, "Busy", BUSY, "../../../")
            busy.headers["retry-after"] = "60"
            return busy
        if page is None:
            raise HTTPException(404)
        return send(request, page)

    return [Route("/runs/{name}/bots/{bot}", show_bot)]


class Kept(NamedTuple):
    """A page that was made, and what the log was then."""

    state: object
    page: Page


class Names(NamedTuple):
    """The names of a run's bots, when they were read, and what the log was then."""

    state: object
    at: float
    names: frozenset[str]


class Read(NamedTuple):
    """What was read of a run, when, and what the log was then."""

    folder: Path
    state: object
    at: float
    time: float
    run: Run
    pages: BotPages

    def serves(self, feed: Feed, state: object) -> bool:
        """Whether a page may be made of it now."""
        if feed.folder != self.folder:
            return False
        is_young = time.monotonic() - self.at < READ_SECONDS
        return state == self.state or (is_young and Run(feed.folder).field == self.run.field)


class Shelf:
    """The pages of bots that are kept ready; used in the thread of the event loop."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._kept: OrderedDict[tuple[str, str], Kept] = OrderedDict()
        self._share, self._turn = Share(BOTS, AHEAD_SECONDS), asyncio.Lock()
        self._making: dict[tuple[str, str], asyncio.Task[Page]] = {}
        self._names: dict[str, Names] = {}
        self._read: Read | None = None  # of the run that was asked for last

    async def page(self, feed: Feed, bot: str) -> Page | None:
        """Return the page of a bot; None if the run has none of that name.

        ArenaError if the run cannot be read, TimeoutError if too many pages are asked for.
        """
        if bot not in await self._list(feed):
            return None
        key = (feed.folder.name, bot)
        kept = self._kept.get(key)
        if kept is not None and (kept.state == feed.state() or not self._share.is_due(time.monotonic())):
            self._kept.move_to_end(key)
            return kept.page
        if key not in self._making:
            self._making[key] = asyncio.create_task(self._make_in_turn(feed, bot))
            self._making[key].add_done_callback(lambda done: self._note_done(key, done))
        # Whoever asks again finds what was made meanwhile: it goes on when nobody waits any more.
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await asyncio.shield(self._making[key])

    def _note_done(self, key: tuple[str, str], done: asyncio.Task[Page]) -> None:
        del self._making[key]
        if not done.cancelled():
            done.exception()  # whoever still waits is told; otherwise it is nobody's

    async def _make_in_turn(self, feed: Feed, bot: str) -> Page:
        async with self._turn:
            while not self._share.is_due(time.monotonic()):
                await asyncio.sleep(0.25)
            return await self._make_anew(feed, bot)

    async def _make_anew(self, feed: Feed, bot: str) -> Page:
        state, seconds = feed.state(), 0.1  # if it fails
        try:
            kept, seconds = await self._site.desk.compute(lambda: self._make(feed, state, bot))
        finally:
            self._share.note(time.monotonic(), seconds)
        self._kept[feed.folder.name, bot] = kept
        while len(self._kept) > MOST_PAGES:
            self._kept.popitem(last=False)
        return kept.page

    async def _list(self, feed: Feed) -> frozenset[str]:
        """Return the names of a run's bots, read anew if the log has changed, but at most once a second."""
        known, now = self._names.get(feed.folder.name), time.monotonic()
        if known is None or (known.state != feed.state() and now - known.at > 1):
            state = feed.state()
            names, _ = await self._site.desk.compute(lambda: frozenset(Run(feed.folder).field.bots))
            known = self._names[feed.folder.name] = Names(state, now, names)
        return known.names

    # What the desk does.

    def _make(self, feed: Feed, state: object, bot: str) -> Kept:
        if self._read is None or not self._read.serves(feed, state):
            borrow_neighbour(feed.folder)
            run = Run(feed.folder, is_whole=False)
            self._read = Read(feed.folder, state, time.monotonic(), time.time(), run, BotPages(run))
        read, home = self._read, f"../../{address_of(feed.folder.name)}"
        html = make_bot_page(read.run, read.pages.read(bot), home, say_time(read.time))
        return Kept(read.state, pack(html))
