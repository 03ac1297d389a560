"""What is made for people: shared by all who ask, within a share of a core, however many things are asked for."""

import asyncio
import time

import pytest

from arena.errors import StoreError
from arena.web import offers, shelf
from arena.web.asking import Refused
from arena.web.desk import Desk, Share
from arena.web.feed import Feed
from arena.web.offers import Offers
from arena.web.shelf import NEW_AHEAD, NEWER_AHEAD, Made, Shelf
from arena.web.site import MOST_PAGES, Site
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import copied, play_games
from tests.web.server import Server

RUNS = MOST_PAGES + 1
BUSY = (
    "import arena.web.shelf as shelf\nfrom arena.web.desk import Share\n"
    "Share.ahead = lambda self, now: 1e6\nshelf.PATIENCE_SECONDS = 0.05"
)
"""Much was asked for before."""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with one run more than pages are kept."""
    folder = tmp_path_factory.mktemp("many")
    run = play_games(folder, {"first": FIRST, "chance": CHANCE}, variants=["snort:line-9"], openings=1)
    for number in range(RUNS - 1):
        copied(run, folder / "results" / f"run-{number}")
    return folder / "results"


class Dear(Desk):
    """A desk at which everything takes twelve seconds of CPU."""

    async def compute(self, compute):
        return (await super().compute(compute))[0], 12.0


def test_pages_of_many_runs_stay_within_their_share(results, monkeypatch):
    """Whoever asks for more runs in turn than are kept has three drawn ahead; then it is said that it takes longer."""
    drawn = note_calls(monkeypatch, Feed, "_make_page")

    async def ask():
        site, found = Site(results), []
        site._desk = Dear()
        for feed in list_feeds(site) * 2:
            if len(drawn) > NEW_AHEAD // 12:
                monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 0.01)
            try:
                found.append(200 if (await site.page(feed)).plain else 0)
            except Refused as refused:
                found.append(refused.status)
        assert len(drawn) == NEW_AHEAD // 12 + 1 == 3
        assert found == ([200] * 3 + [503] * (RUNS - 3)) * 2, "those that were drawn are kept"

    asyncio.run(ask())


def list_feeds(site):
    names = sorted(folder.name for folder in site.results.iterdir())
    return [feed for feed in map(site.find, names) if feed is not None]


def note_calls(monkeypatch, owner, name):
    """Note each call of a method."""
    calls, method = [], getattr(owner, name)

    def note(*values):
        calls.append(values)
        return method(*values)

    monkeypatch.setattr(owner, name, note)
    return calls


def test_where_little_is_asked_for_nobody_waits(results, monkeypatch):
    """Pages of some runs and what they offer, one right after the other, on a server that was idle."""
    monkeypatch.setattr(shelf, "LOOK_SECONDS", 1e9)  # whoever waited would be told to come back

    async def ask():
        site, offered = Site(results), Offers(True, True)
        for feed in list_feeds(site)[:3]:
            await site.page(feed)
            await offered.read(feed.folder)
        assert (await site.index()).plain

    asyncio.run(ask())


def test_readers_at_once_share_what_a_run_offers(results, monkeypatch):
    """However many ask while it is read, it is read once."""
    read = note_calls(monkeypatch, offers, "read_offer")

    async def ask():
        offered = Offers(True, True)
        asked = [offered.read(results / "run-0") for _ in range(20)]
        assert len({id(kept) for kept in await asyncio.gather(*asked)}) == 1

    asyncio.run(ask())
    assert len(read) == 1


def test_it_is_said_that_a_page_takes_longer(results):
    """With a status that programs understand: for a run, a bot, and what can be played."""
    with Server(results.parent, changed=BUSY) as server:
        for path in ("/", "/runs/run-0", "/runs/run-0/bots/first", "/runs/run-0/play"):
            got = server.ask(path)
            assert (got.status, shelf.BUSY in got.text) == (503, True), path
        assert server.ask("/runs/run-0").headers["retry-after"] == "60"


# The shelf by itself.


class Maker:
    """Makes numbers, each of which takes so many seconds of CPU; `state` is what they rest on."""

    def __init__(self, most=2, seconds=0.0, rest_seconds=0.0):
        self.share = Share(1 / 20)
        self.shelf = Shelf[int](self.share, most, rest_seconds)
        self.count, self.state, self.seconds = 0, "", seconds
        self.fault: Exception | None = None
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def make(self):
        self.count += 1
        count = self.count
        await self.may_go_on.wait()
        if self.fault:
            raise self.fault
        return Made(count, self.state, self.seconds)

    def get(self, key="key"):
        return self.shelf.get(key, lambda: self.state, self.make)


def test_what_is_kept_is_made_anew_only_if_it_has_changed():
    """And those are forgotten that were asked for least lately."""

    async def ask():
        maker = Maker()
        assert [await maker.get(key) for key in "abab"] == [1, 2, 1, 2]
        maker.state = "changed"
        assert await maker.get("a") == 3
        assert [await maker.get(key) for key in "aca"] == [3, 4, 3]
        assert await maker.get("b") == 5, "it was forgotten"
        resting = Maker(rest_seconds=60.0)
        assert await resting.get() == 1
        resting.state = "changed"
        assert await resting.get() == 1, "not so soon"

    asyncio.run(ask())


def test_what_is_there_is_shown_while_there_is_no_time_for_a_newer_one(monkeypatch):
    """Less may be owed for that than for what nobody has yet."""
    monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 0.01)

    async def ask():
        maker = Maker()
        assert await maker.get() == 1
        maker.state = "changed"
        maker.share.note(time.monotonic(), NEWER_AHEAD + 5)
        assert await maker.get() == 1
        assert await maker.get("new") == 2
        maker.share.note(time.monotonic(), NEW_AHEAD)
        with pytest.raises(Refused, match="takes longer"):
            await maker.get("newer")
        assert maker.count == 2

    asyncio.run(ask())


def test_what_takes_long_is_made_though_nobody_waits_any_more(monkeypatch):
    """Otherwise whoever tries it again would begin anew, and never see it on a slow machine."""
    monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 0.01)

    async def ask():
        maker = Maker()
        maker.may_go_on.clear()
        for _ in range(2):
            with pytest.raises(Refused):
                await maker.get()
        maker.may_go_on.set()
        monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 60)
        assert await maker.get() == 1
        maker.state = "changed"
        maker.may_go_on.clear()
        monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 0.01)
        assert await maker.get() == 1, "rather an old one than none"

    asyncio.run(ask())


def test_what_cannot_be_made_is_tried_again_when_something_has_changed():
    """Not before: it would be the same again."""

    async def ask():
        maker = Maker(rest_seconds=60.0)
        maker.fault = StoreError("damaged")
        for _ in range(3):
            with pytest.raises(StoreError, match="damaged"):
                await maker.get()
        assert maker.count == 1
        maker.state, maker.fault = "mended", None
        assert await maker.get() == 2

    asyncio.run(ask())


def test_a_bug_is_nobodys_page_and_ends_nothing():
    """Whoever asked is told, and the next one has it made anew."""

    async def ask():
        maker = Maker()
        maker.fault = ZeroDivisionError()
        with pytest.raises(ZeroDivisionError):
            await maker.get()
        maker.fault = None
        assert await maker.get() == 2
        assert maker.share.ahead(time.monotonic()) > 0

    asyncio.run(ask())
