"""The bots' own pages: `/runs/NAME/bots/BOT`.

A bot's name is compared with those of the run's field and never becomes a path. All pages share one part of a
core: a page that is kept is sent as it is until its turn comes, and a new one waits for its turn. What was
read of a run serves all its bots for a minute, because most of what a page takes is the same for all of them;
but not if a bot has come, gone or been edited.
"""

from __future__ import annotations

import time
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
from arena.web.hiding import hide_places
from arena.web.sending import say, send
from arena.web.shelf import Made, Shelf
from arena.web.site import Site

BOTS = 1 / 40
"""The share of a core for all pages of bots."""

READ_SECONDS = 60.0
"""So long what was read of a run serves for all its bots, though games are played."""

MOST_PAGES = 100
"""So many pages are kept ready, of about 100 KB each."""

MOST_RUNS = 100
"""Of so many runs it is known which bots they have."""


def routes(site: Site) -> list[Route]:
    """Return the addresses of the bots' pages."""
    bots = Bots(site)

    async def show_bot(request: Request) -> Response:
        feed = site.find(request.path_params["name"])
        if feed is None:
            raise HTTPException(404)
        try:
            page = await bots.page(feed, request.path_params["bot"])
        except (ArenaError, OSError) as error:
            name, why = feed.folder.name, hide_places(error, feed.folder)
            return say(503, name, f"This bot cannot be shown now: {why}.", "../../../")
        if page is None:
            raise HTTPException(404)
        return send(request, page)

    return [Route("/runs/{name}/bots/{bot}", show_bot)]


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


class Bots:
    """The pages of bots; used in the thread of the event loop."""

    def __init__(self, site: Site) -> None:
        self._desk, share = site.desk, Share(BOTS)
        self._pages = Shelf[Page](share, MOST_PAGES)
        self._names = Shelf[frozenset[str]](share, MOST_RUNS)
        self._read: Read | None = None  # of the run that was asked for last

    async def page(self, feed: Feed, bot: str) -> Page | None:
        """Return the page of a bot; None if the run has none of that name.

        ArenaError if the run cannot be read, Refused if too much is asked for.
        """
        name = feed.folder.name
        if bot not in await self._names.get(name, feed.state, lambda: self._list(feed)):
            return None
        return await self._pages.get((name, bot), feed.state, lambda: self._make_page(feed, bot))

    async def _list(self, feed: Feed) -> Made[frozenset[str]]:
        state = feed.state()
        names, seconds = await self._desk.compute(lambda: frozenset(Run(feed.folder).field.bots))
        return Made(names, state, seconds)

    async def _make_page(self, feed: Feed, bot: str) -> Made[Page]:
        state = feed.state()
        (page, read_state), seconds = await self._desk.compute(lambda: self._make(feed, state, bot))
        return Made(page, read_state, seconds)

    # What the desk does.

    def _make(self, feed: Feed, state: object, bot: str) -> tuple[Page, object]:
        """Return the page of a bot, and the state that it rests on."""
        if self._read is None or not self._read.serves(feed, state):
            borrow_neighbour(feed.folder)
            run = Run(feed.folder, is_whole=False)
            self._read = Read(feed.folder, state, time.monotonic(), time.time(), run, BotPages(run))
        read, home = self._read, f"../../{address_of(feed.folder.name)}"
        html = make_bot_page(read.run, read.pages.read(bot), home, say_time(read.time))
        return pack(html), read.state
