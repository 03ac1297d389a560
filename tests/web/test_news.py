"""What readers are sent: each change once; who was away gets the whole, and who does not read costs nothing."""

import asyncio
import gc
import json
import zlib

import pytest

from arena.web import app
from arena.web.app import NewsResponse
from arena.web.desk import Desk, Share
from arena.web.feed import Feed, Speed
from arena.web.news import GZIP_HEAD, HEARTBEAT, Edition
from arena.web.site import Site


def data(message):
    return json.loads(message.plain.split(b"data: ")[1])


def test_a_reader_of_the_last_edition_is_sent_what_has_changed_and_any_other_the_whole():
    """Tables are compared one by one."""
    first = Edition().next({"strip": "1", "tables": {"a": "x", "b": "y"}})
    second = first.next({"tables": {"a": "x", "b": "z"}})
    assert data(first.since(0)) == {"strip": "1", "tables": {"a": "x", "b": "y"}}
    assert data(second.since(1)) == {"tables": {"b": "z"}}
    assert data(second.since(0)) == {"strip": "1", "tables": {"a": "x", "b": "z"}}
    assert data(second.next({"strip": "2"}).since(1)) == {"strip": "2", "tables": {"a": "x", "b": "z"}}


def test_nothing_new_is_no_edition():
    """Nobody is woken for what is as it was."""
    edition = Edition().next({"strip": "1", "tables": {"a": "x"}})
    assert edition.next({"strip": "1"}) is edition
    assert edition.next({"tables": {"a": "x"}}) is edition


def test_pieces_that_were_compressed_apart_are_one_stream():
    """Each can be read as soon as it is there, whichever came before."""
    unpack = zlib.decompressobj(31)
    assert unpack.decompress(GZIP_HEAD) == b""
    edition = Edition()
    for number in range(20):
        edition = edition.next({"strip": f"{number} \N{BLACK CHESS KNIGHT} \n" * 50})
        message = edition.since(number if number % 3 else 0)
        assert unpack.decompress(message.packed) == message.plain
        assert unpack.decompress(HEARTBEAT.packed) == HEARTBEAT.plain


def test_whoever_computes_rests_by_what_it_took():
    """At most once a second, and never more than its share; which many share."""
    share = Share(1 / 10)
    assert share.is_due(0)
    share.note(100, 0.001)
    assert [share.is_due(now) for now in (100.9, 101.1)] == [False, True]
    share.note(100, 3)
    assert [share.is_due(now) for now in (129, 131)] == [False, True]
    share.note(200, 3, others=4)
    assert [share.is_due(now) for now in (349, 351)] == [False, True]


def test_a_share_says_how_much_was_taken_ahead_of_it():
    """Time pays for it, and nobody saves up by taking nothing."""
    share = Share(1 / 20)
    assert share.ahead(1000) == 0
    for _ in range(2):
        share.note(1000, 3)
    assert [share.ahead(now) for now in (1000, 1020, 1120, 2000)] == pytest.approx([6, 5, 0, 0])


def test_speed_is_that_of_the_last_half_minute():
    """Not known at first, and again unknown when a run has begun anew, or when nothing comes."""
    speed = Speed()
    assert speed.note(0, 100) is None
    assert speed.note(0.5, 110) is None
    assert speed.note(10, 200) == 10
    assert speed.note(100, 400) is None
    assert speed.note(101, 430) == 30
    assert speed.note(102, 5) is None


def test_the_desk_answers_with_what_was_computed_or_raised():
    """One bad question does not end it."""

    async def ask():
        desk = Desk()
        with pytest.raises(ZeroDivisionError):
            await desk.compute(lambda: 1 // 0)
        with pytest.raises(KeyboardInterrupt):
            await desk.compute(_interrupt)
        found, seconds = await desk.compute(lambda: sum(range(300_000)))
        assert found == sum(range(300_000))
        assert 0 < seconds < 5

    asyncio.run(ask())


def _interrupt():
    raise KeyboardInterrupt


class StillFeed(Feed):
    """A feed that looks at nothing: the test publishes."""

    async def _follow(self):
        """Do nothing."""


async def read(site, feed, send):
    """Be a reader whose end of the line is `send`."""

    async def receive():
        await asyncio.Event().wait()

    response = NewsResponse(site, feed, is_packed=False, is_head=False)
    await response({"type": "http", "method": "GET", "headers": []}, receive, send)


def test_a_reader_that_does_not_read_holds_up_nobody_and_nothing_is_kept_for_it(tmp_path):
    """A thousand editions later it is sent the last one alone, and the others have had theirs."""

    def count_editions():
        gc.collect()
        return sum(isinstance(each, Edition) for each in gc.get_objects())

    async def play():
        before = count_editions()  # what tests before this one have left in the process
        site = Site(tmp_path)
        feed = StillFeed(tmp_path, Desk(), lambda: 0)
        can_read, got = asyncio.Event(), {"slow": [], "quick": []}

        async def send_slowly(message):
            if message.get("body"):
                got["slow"].append(message["body"])
                await can_read.wait()

        async def send_quickly(message):
            got["quick"].append(message.get("body"))

        tasks = [asyncio.create_task(read(site, feed, send)) for send in (send_slowly, send_quickly)]
        for number in range(1_000):
            feed._publish({"strip": f"{number}"})
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        assert len(got["slow"]) == 1
        assert b'"999"' in got["quick"][-1]
        assert count_editions() - before <= 3
        can_read.set()
        await asyncio.sleep(0.01)
        assert len(got["slow"]) == 2
        assert b'"999"' in got["slow"][-1]
        site._feeds["cup"] = feed
        site.close()
        await asyncio.wait_for(asyncio.gather(*tasks), 5)
        assert feed.readers == set()

    asyncio.run(play())


def test_a_line_on_which_nothing_happens_is_kept_alive(tmp_path, monkeypatch):
    """A comment, which no browser shows."""
    monkeypatch.setattr(app, "HEARTBEAT_SECONDS", 0.01)

    async def play():
        site, got = Site(tmp_path), []
        feed = StillFeed(tmp_path, Desk(), lambda: 0)

        async def send(message):
            got.append(message.get("body"))
            site.is_closing = len(got) > 4

        await asyncio.wait_for(read(site, feed, send), 5)
        assert got[1:4] == [b": still here\n\n"] * 3

    asyncio.run(play())
