"""Somebody sends as much as the line bears: it is refused in a sentence, costs next to nothing, and holds up nobody."""

import http.client
import itertools
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from arena.contest.book import ENTERED, MOST_IN_AN_HOUR, Book
from arena.web.uploading import BUSY
from tests.pages.browser import Page
from tests.web.contests import bot, make_contest, submit, wait_for
from tests.web.hosting import KIND, form
from tests.web.server import PATIENCE, Server

pytestmark = pytest.mark.long

UPLOADS, SENDERS, SIZE = 1_000, 8, 64 << 10
AT_ONCE = "still waits for its check: one at a time"
HOURLY = f"{MOST_IN_AN_HOUR} uploads an hour are enough; send it again in"
WITHOUT_LIMITS = (
    "from arena.contest.book import Book\nfrom arena.web.uploading import Inbox\n"
    "Book._find_refusal = lambda *_: None\nInbox._reserve = lambda *_: None"
)


class Flood:
    """Uploads of one token, each a new bot, which fails its check at once."""

    def __init__(self, server, token):
        self._server, self._token, self._numbers = server, token, itertools.count()
        self.statuses: list[int] = []
        self.sentences: set[str] = set()

    @property
    def taken(self):
        """How many were received."""
        return self.statuses.count(200)

    def send(self, count):
        """Send so many, some at once."""
        with ThreadPoolExecutor(SENDERS) as pool:
            list(pool.map(lambda _: self.send_one(), range(count)))

    def send_one(self):
        """Send one, and read what is said of it; of one that was taken, no more than that."""
        text = b"not Python, %d\n" % next(self._numbers)
        body = form(self._token, text.ljust(SIZE, b"#"), "bot.py")
        with closing(http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=PATIENCE)) as line:
            line.request("POST", "/runs/cup/submit", body, {"content-type": KIND})
            got = line.getresponse()
            if got.status != 200:
                self.sentences.add(refusal_in(got.read().decode()))
            self.statuses.append(got.status)


def refusal_in(text):
    """Which refusal a page has."""
    plain = Page(text).plain
    return next(each for each in (BUSY, AT_ONCE, HOURLY) if each in plain)


class Kept:
    """What is on disk of a contest."""

    def __init__(self, base):
        self._folder = base / "contests"

    @property
    def bytes(self):
        """Of all files of the book, its journal included."""
        return sum(file.stat().st_size for file in self._folder.iterdir())

    @property
    def bots(self):
        """Of the bots in it."""
        with closing(sqlite3.connect(self._folder / "book.sqlite")) as book:
            return book.execute("SELECT COALESCE(SUM(LENGTH(data)), 0) FROM files").fetchone()[0]


def test_1000_uploads_of_one_token_are_refused_beyond_the_limit(tmp_path):
    """Memory and book stay as they are, and whoever else hands in a bot meanwhile is heard at once."""
    make_contest(tmp_path, own=())
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml") as server:
        flood, kept = Flood(server, book.make_token("eve")), Kept(tmp_path)
        anna = book.make_token("anna")
        flood.send(20)  # what a server has in memory once it has done all this
        before = server.memory()
        with ThreadPoolExecutor(1) as pool:
            sending = pool.submit(flood.send, UPLOADS)
            wait_for(lambda: len(flood.statuses) > UPLOADS / 10)
            assert submit(server, anna, bot("anna")).startswith("200")
            assert server.ask("/runs/cup/submit").status == 200
            assert not sending.done(), "she was answered when the flood was over"
            sending.result()
        assert server.memory() - before < 16 << 20
        while HOURLY not in flood.sentences:
            flood.send_one()
        flood.sentences.clear()
        flood.send_one()
        assert flood.sentences == {HOURLY}
        assert set(flood.statuses) == {200, 409}
        assert flood.taken == len(book.uploads("cup", "eve")) == MOST_IN_AN_HOUR
        wait_for(lambda: [each.state for each in book.uploads("cup", "anna")] == [ENTERED])
        assert kept.bots < MOST_IN_AN_HOUR * SIZE + 1000
        assert kept.bytes < 8 << 20, "1,000 of them are 64 MiB"
        assert server.stop()[:2] == (130, "")


def test_a_flood_would_be_seen(tmp_path):
    """The test above is able to fail: where nobody counts, all are taken and kept."""
    make_contest(tmp_path, own=())
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml", changed=WITHOUT_LIMITS) as server:
        flood, kept = Flood(server, book.make_token("eve")), Kept(tmp_path)
        flood.send(100)
        assert flood.taken == 100
        assert kept.bots > 80 * SIZE
