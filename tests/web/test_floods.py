"""Somebody sends as much as the line bears: it is refused in a sentence, costs next to nothing, and holds up nobody."""

import http.client
import itertools
import resource
import select
import socket
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest

from arena.contest.book import ENTERED, MOST_IN_AN_HOUR, Book
from arena.web.app import MOST_READERS
from arena.web.line import MOST_OF_ONE
from arena.web.uploading import BUSY, TOO_FAST
from tests.pages.browser import Page
from tests.web.contests import bot, make_contest, submit, wait_for
from tests.web.hosting import KIND, form
from tests.web.own_network import call_in_own_network
from tests.web.proxies import free_port
from tests.web.server import PATIENCE, Server

pytestmark = pytest.mark.long

UPLOADS, SENDERS, SIZE = 1_000, 8, 64 << 10
AT_ONCE = "still waits for its check: one at a time"
HOURLY = f"{MOST_IN_AN_HOUR} uploads an hour are enough; send it again in"
AS_FAST_AS_THEY_LIKE = "import arena.web.uploading as uploading\nuploading.UPLOADS = (10**6, 1.0)\n"
WITHOUT_LIMITS = (
    f"{AS_FAST_AS_THEY_LIKE}from arena.contest.book import Book\nfrom arena.web.uploading import Inbox\n"
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
    return next(each for each in (BUSY, AT_ONCE, HOURLY, TOO_FAST) if each in plain)


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


@pytest.mark.parametrize("is_slowed", [True, False])
def test_1000_uploads_of_one_token_are_refused_beyond_the_limit(tmp_path, is_slowed):
    """Memory and book stay as they are, and whoever else hands in a bot meanwhile is heard at once.

    Most are told that they come too fast. Without that, the other limits are enough.
    """
    make_contest(tmp_path, own=())
    changed = AS_FAST_AS_THEY_LIKE * (not is_slowed)
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml", changed=changed) as server:
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
        if is_slowed:
            assert TOO_FAST in flood.sentences
            assert set(flood.statuses) == {200, 409, 429}
            assert 0 < flood.taken == len(book.uploads("cup", "eve")) <= MOST_IN_AN_HOUR
        else:
            reach_the_hourly_limit(flood)
            assert set(flood.statuses) == {200, 409}
            assert flood.taken == len(book.uploads("cup", "eve")) == MOST_IN_AN_HOUR
        wait_for(lambda: [each.state for each in book.uploads("cup", "anna")] == [ENTERED])
        assert kept.bots < MOST_IN_AN_HOUR * SIZE + 1000
        assert kept.bytes < 8 << 20, "1,000 of them are 64 MiB"
        assert server.stop()[:2] == (130, "")


def reach_the_hourly_limit(flood):
    """Go on until all are told of it."""
    while HOURLY not in flood.sentences:
        flood.send_one()
    flood.sentences.clear()
    flood.send_one()
    assert flood.sentences == {HOURLY}


def test_a_flood_would_be_seen(tmp_path):
    """The test above is able to fail: where nobody counts, all are taken and kept."""
    make_contest(tmp_path, own=())
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml", changed=WITHOUT_LIMITS) as server:
        flood, kept = Flood(server, book.make_token("eve")), Kept(tmp_path)
        flood.send(100)
        assert flood.taken == 100
        assert kept.bots > 80 * SIZE


# Connections.

ONE, OTHER, HERE = "203.0.113.1", "203.0.113.2", "127.0.0.1"
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
PATIENT = "import arena.web.line as line\nline.HEAD_SECONDS = 1e6"
"""Nobody is cut off for being slow, so it is the number of connections alone that counts."""

MORE_THAN_ALL = MOST_READERS + 300
"""uvicorn itself refuses everybody, whoever they are, beyond so many connections."""


@contextmanager
def many_files():
    """As many connections as are wanted here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Lines:
    """Connections to a server, of several addresses, which say nothing."""

    def __init__(self, folder, changed, stack):
        self._stack, port = stack, free_port()
        stack.enter_context(many_files())
        url = f"http://localhost:{port}/"
        options = ["--host", "0.0.0.0"]
        self._server = stack.enter_context(
            Server(folder, *options, port=port, public_url=url, changed=changed)
        )
        self._looking = select.poll()

    def connect(self, address):
        """Connect from an address to the same."""
        line = socket.create_connection((address, self._server.port), PATIENCE, (address, 0))
        return self._stack.enter_context(line)

    def open(self, address, count):
        """Open so many from one address; they are looked at from now on."""
        lines = [self.connect(address) for _ in range(count)]
        for line in lines:
            self._looking.register(line, select.POLLIN)
        return lines

    def count_cut(self):
        """How many of all that were opened were closed by the server."""
        return len(self._looking.poll(0))

    def ask(self, address):
        """The status that somebody from an address gets; 0 if the connection is cut."""
        with self.connect(address) as line:
            try:
                line.sendall(GET)
                return int((line.recv(1 << 16) or b"- 0").split()[1])
            except ConnectionError:
                return 0


def test_one_address_cannot_have_all_connections(tmp_path):
    """Half of them at most: the rest is for others. Whoever closes one may open another."""

    def attack():
        with ExitStack() as stack:
            lines = Lines(tmp_path, PATIENT, stack)
            held = lines.open(ONE, MORE_THAN_ALL)
            wait_for(lambda: lines.count_cut() == MORE_THAN_ALL - MOST_OF_ONE)
            assert (lines.ask(ONE), lines.ask(OTHER), lines.ask(HERE)) == (0, 200, 200)
            held[0].close()
            wait_for(lambda: lines.ask(ONE) == 200)

    call_in_own_network([ONE, OTHER], attack)


def test_a_proxy_on_this_machine_has_the_connections_of_all_its_readers(tmp_path):
    """They come from one address, and each is one more reader."""

    def read():
        with ExitStack() as stack:
            lines = Lines(tmp_path, PATIENT, stack)
            lines.open(HERE, MOST_OF_ONE + 100)
            assert [lines.ask(each) for each in (HERE, OTHER)] == [200, 200]
            assert lines.count_cut() == 0

    call_in_own_network([OTHER], read)


def test_who_has_all_connections_would_be_seen(tmp_path):
    """The test above is able to fail: without the limit one address keeps everybody out."""

    def attack():
        with ExitStack() as stack:
            lines = Lines(tmp_path, f"{PATIENT}\nline.MOST_OF_ONE = 10**9", stack)
            lines.open(ONE, MORE_THAN_ALL)
            assert lines.ask(OTHER) == 503

    call_in_own_network([ONE, OTHER], attack)
