"""The runs of a results folder as a server knows them: their feeds, their pages, and the list of all.

A run's name comes from the listing of the folder alone. What somebody asks for is compared with these names
and never becomes a path, so there is no way out of the folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError
from arena.log.cache import state_of, state_of_neighbour
from arena.log.grades import borrow_neighbour
from arena.pages.live import Hosted, Listed, list_run, make_index
from arena.results.finding import changed_at, list_runs
from arena.results.run import Run
from arena.web.desk import Desk, Share
from arena.web.feed import QUIET_SECONDS, Feed, Page, address_of, pack
from arena.web.shelf import Made, Shelf

PAGES = 1 / 20
"""The share of a core for the pages of all runs and for their list."""

MOST_PAGES = 8
"""So many pages are kept ready; the page of a run may have some megabytes."""

LIST_SECONDS = 1.0
"""The list of runs says who leads as far as that is found out in so many seconds of CPU."""


class Host(NamedTuple):
    """The contest of a server: its name, and a function that returns what is said of it now."""

    name: str
    tell: Callable[[], Hosted]


class Site:
    """All that a server shows; used in the thread of its event loop."""

    def __init__(self, results: Path, host: Host | None = None) -> None:
        self.results, self.host, self.is_closing = results, host, False
        self._desk = Desk()
        self._feeds: dict[str, Feed] = {}
        self._listed: dict[Path, tuple[object, Listed]] = {}
        self._share = Share(PAGES)
        self._pages, self._index = Shelf[Page](self._share, MOST_PAGES), Shelf[Page](self._share, 1)

    def find(self, name: str) -> Feed | None:
        """Return the feed of a run; None if the folder has none of that name."""
        folders = {folder.name: folder for folder in self._list_folders()}
        for gone in self._feeds.keys() - folders.keys():
            del self._feeds[gone]
        if name not in folders:
            return None
        if name not in self._feeds:
            tell = self.host.tell if self.hosts(name) and self.host else lambda: None
            self._feeds[name] = Feed(folders[name], self._desk, self._count_others, tell)
        return self._feeds[name]

    def hosts(self, name: str) -> bool:
        """Whether this is the name of the contest that this server hosts."""
        return self.host is not None and self.host.name == name

    def _list_folders(self) -> list[Path]:
        """Return the run folders, but for hidden ones and those whose names nobody could type."""
        found = list_runs(self.results)
        return [each for each in found if each.name.isprintable() and not each.name.startswith(".")]

    def _count_others(self) -> int:
        return max(0, sum(bool(feed.readers) for feed in self._feeds.values()) - 1)

    @property
    def desk(self) -> Desk:
        """Where everything is computed."""
        return self._desk

    @property
    def readers(self) -> int:
        """How many read news at the moment."""
        return sum(len(feed.readers) for feed in self._feeds.values())

    def count_readers(self, client: str) -> int:
        """Return how many of them have this address."""
        return sum(reader.client == client for feed in self._feeds.values() for reader in feed.readers)

    async def page(self, feed: Feed) -> Page:
        """Return the page of a run; ArenaError if it cannot be read, Refused if too much is asked for."""
        return await self._pages.get(feed.folder.name, feed.page_state, feed.draw_page)

    async def index(self) -> Page:
        """Return the list of all runs, made anew whenever its share allows it."""

        async def make() -> Made[Page]:
            index, seconds = await self._desk.compute(self._make_index)
            return Made(index, None, seconds)

        return await self._index.get("", object, make)

    def close(self) -> None:
        """Let all readers go."""
        self.is_closing = True
        for feed in self._feeds.values():
            for reader in feed.readers:
                reader.wake.set()

    # What the desk does.

    def _make_index(self) -> Page:
        until = time.thread_time() + LIST_SECONDS
        folders = sorted(self._list_folders(), key=changed_at, reverse=True)
        self._listed = {folder: self._listed[folder] for folder in folders if folder in self._listed}
        listed = [self._list(folder, time.thread_time() < until) for folder in folders]
        if self.host is not None and not any(folder.name == self.host.name for folder in folders):
            name, words = self.host.name, self.host.tell().words
            listed.insert(0, Listed(name, f"runs/{address_of(name)}", time.time(), True, words))
        return pack(make_index([each._replace(is_hosted=self.hosts(each.name)) for each in listed]))

    def _list(self, folder: Path, has_time: bool) -> Listed:
        changed, address = changed_at(folder), f"runs/{address_of(folder.name)}"
        is_moving = time.time() - changed < QUIET_SECONDS
        state = state_of(folder), state_of_neighbour(folder), is_moving
        kept = self._listed.get(folder)
        if kept is not None and kept[0] == state:
            return kept[1]
        if not has_time:
            return kept[1] if kept else Listed(folder.name, address, changed, is_moving, "")
        try:
            borrow_neighbour(folder)
            listed = list_run(Run(folder, is_whole=False), address, changed, is_moving)
        except (ArenaError, OSError):
            listed = Listed(folder.name, address, changed, is_moving, "It cannot be read, or not yet.")
        self._listed[folder] = (state, listed)
        return listed
