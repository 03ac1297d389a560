"""Attacks on a server that only shows: each is refused, ends, or costs little, and the others go on reading.

Limits are lowered where thousands of connections or minutes would say no more. Where a defence is a few lines of
ours, the same attack is seen to work against a copy without these lines.
"""

import contextlib
import shutil
import socket
import time
from types import SimpleNamespace

import pytest

from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import play_games
from tests.web.server import PATIENCE, Server

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
INJECTED = "x\r\nset-cookie: a=1\r\n\r\n<script>"
IMPATIENT = "import arena.web.line as line\nline.HEAD_SECONDS = line.BODY_SECONDS = 0.6"
FOREVER = IMPATIENT.replace("0.6", "1e6")  # as uvicorn is by itself


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with a run, one whose name is an attack, and one beside the folder of runs."""
    folder = tmp_path_factory.mktemp("attacked")
    run = play_games(folder, {"chance": CHANCE, "first": FIRST}, variants=["snort:line-9"], openings=1)
    shutil.copytree(run.folder, folder / "results" / INJECTED)
    shutil.copytree(run.folder, folder / "private")
    return folder


@pytest.fixture(scope="module")
def server(runs):
    """A server as it is."""
    with Server(runs) as started:
        yield started


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def read_to_end(line):
    """All that comes until the other side closes; a reset is an end too."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while some := line.recv(1 << 16):
            found += some
    return found


def test_many_connections_are_answered_and_idle_ones_hinder_nobody(server):
    """300 at once: first they say nothing, and others read; then each of them is answered."""
    before = server.memory()
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connect(server)) for _ in range(300)]
        assert server.ask().status == 200
        for line in lines:
            line.sendall(GET)
        assert all(line.recv(15) == b"HTTP/1.1 200 OK" for line in lines)
    assert server.memory() - before < 40 << 20


@contextlib.contextmanager
def open_news(server, forwarded=""):
    """Open the news of a run: the connection, and the status."""
    head = b"GET /runs/cup/events HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\n\r\n"
    with connect(server) as line:
        line.sendall(head % forwarded.encode())
        yield SimpleNamespace(line=line, status=int(line.recv(1 << 16).split()[1]))


def test_more_readers_than_there_is_room_for_are_refused_and_the_rest_lives(runs):
    """Pages are sent all the same; who leaves makes room."""
    with (
        Server(runs, changed="import arena.web.app as app\napp.MOST_READERS = 3") as server,
        contextlib.ExitStack() as stack,
    ):
        news = [stack.enter_context(open_news(server)) for _ in range(6)]
        assert [each.status for each in news] == [200] * 3 + [503] * 3
        assert server.ask("/runs/cup").status == 200
        news[0].line.close()
        end = time.monotonic() + PATIENCE
        while stack.enter_context(open_news(server)).status != 200:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_one_address_cannot_take_the_room_of_all(runs):
    """Behind a proxy too, whatever else the reader says of itself."""
    changed = "import arena.web.app as app\napp.MOST_OF_ONE = 2"
    with (
        Server(
            runs, changed=changed, port=(port := free_port()), public_url=f"https://localhost:{port}/"
        ) as server,
        contextlib.ExitStack() as stack,
    ):
        asked = ["203.0.113.7", "1.1.1.1, 203.0.113.7", "2.2.2.2, 203.0.113.7", "203.0.113.8", ""]
        found = [stack.enter_context(open_news(server, forwarded)).status for forwarded in asked]
        assert found == [200, 200, 503, 200, 200]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as line:
        return line.getsockname()[1]


SLOW = {
    "says nothing": (b"", b""),
    "a letter at a time": (b"GET / HTTP/1.1\r\nHost: loc", b"a"),
    "a header at a time": (b"GET / HTTP/1.1\r\n", b"X-A: b\r\n"),
    "after an answer": (GET, b"G"),
    "a body to where nothing is taken": (
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n",
        b"a",
    ),
    "a chunked body": (
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1\r\na\r\n",
    ),
}


def is_still_there(line, drop, seconds):
    """Whether a connection on which somebody sends drop after drop is still open after some seconds."""
    line.settimeout(0.1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            line.sendall(drop)
            if not line.recv(1 << 16):
                return False
        except TimeoutError:
            pass
        except ConnectionError:
            return False
    return True


@pytest.fixture(scope="module")
def impatient(runs):
    """A server that waits for half a second."""
    with Server(runs, changed=IMPATIENT) as started:
        yield started


@pytest.fixture(scope="module")
def patient(runs):
    """A server without that limit: uvicorn as it is."""
    with Server(runs, changed=FOREVER) as started:
        yield started


@pytest.mark.parametrize("way", SLOW)
def test_who_takes_too_long_to_ask_is_let_go(impatient, way):
    """Letter by letter (slowloris), or not at all; before an answer or after it."""
    begin, drop = SLOW[way]
    with connect(impatient) as line:
        line.sendall(begin)
        assert not is_still_there(line, drop, PATIENCE)
    assert impatient.ask().status == 200


@pytest.mark.long
def test_without_that_limit_it_could_stay(patient):
    """So the limit is what ends it. A chunked body is cut off by pages that take nothing, limit or not."""
    begin, drop = SLOW["a letter at a time"]
    with connect(patient) as line:
        line.sendall(begin)
        assert is_still_there(line, drop, 2)


def test_who_reads_for_long_is_not_let_go(impatient):
    """News go on after the time in which a request must have come; so do requests one after the other."""
    with open_news(impatient) as news, connect(impatient) as line:
        for _ in range(4):
            line.sendall(GET.replace(b"GET", b"HEAD"))
            assert b"200 OK" in line.recv(1 << 16)
            time.sleep(0.3)
        assert is_still_there(news.line, b"", 0.3)


REFUSED = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n"


def test_what_is_refused_is_taken_before_the_answer(server):
    """Who is answered and cut off while they send, as a proxy does later than its head, may lose the answer."""
    with connect(server) as line:
        line.sendall(REFUSED)
        line.settimeout(0.5)
        with pytest.raises(TimeoutError):
            line.recv(1)
        line.settimeout(PATIENCE)
        line.sendall(b"a body" + GET)
        got = line.recv(1 << 16)
        assert got.startswith(b"HTTP/1.1 405")
        while b"200 OK" not in got:
            got += line.recv(1 << 16)


def test_what_is_refused_and_never_comes_is_answered(server):
    """After two seconds nobody waits for it any more."""
    with connect(server) as line:
        line.sendall(REFUSED)
        line.settimeout(PATIENCE)
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 405")
        assert not is_still_there(line, b"", PATIENCE)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * (4 << 20) + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 500_000 + b"\r\n",
        b"GET /" + b"a" * (4 << 20) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"a" * (4 << 20),
        b"\0" * (4 << 20),
    ],
    ids=["a long header", "many headers", "a long address", "no head at all", "zeros"],
)
def test_huge_heads_are_refused_and_not_kept(server, head):
    """After 16 KiB it is over."""
    before = server.memory()
    with connect(server) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(head)
        assert read_to_end(line)[:12] in (b"HTTP/1.1 400", b"")
    assert server.memory() - before < 8 << 20
    assert server.ask().status == 200


GARBAGE = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x99" * 500,
    b"GET\r\n\r\n",
    b"GET / HTTP/1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n: c\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_refused_and_nothing_of_a_run_is_said(server, garbage):
    """Also behind proper requests on the same line, which are answered first, in order."""
    for before in (0, 20):
        with connect(server) as line:
            line.sendall(GET.replace(b"GET", b"HEAD") * before + garbage)
            line.shutdown(socket.SHUT_WR)
            answers = read_to_end(line).split(b"HTTP/1.1 ")[1:]
        assert [answer[:3] for answer in answers[:before]] == [b"200"] * before
        assert {answer[:3] for answer in answers[before:]} <= {b"400", b"405", b"501", b"505"}
        assert b"cup" not in b"".join(answers)
    assert server.ask().status == 200


def test_a_body_does_not_become_the_next_request(server):
    """What a proxy takes for a body is one here, or the line is closed (request smuggling)."""
    hidden = b"GET /runs/cup HTTP/1.1\r\nHost: localhost\r\n\r\n"
    both = b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" % (5 + len(hidden))
    with connect(server) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + both + hidden)
        line.shutdown(socket.SHUT_WR)
        answers = read_to_end(line).split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers] == [b"405"]


def test_a_run_whose_name_has_line_breaks_is_not_there(server):
    """So no name ends up in a header, nor in a line of its own."""
    assert "set-cookie" not in server.ask().text
    for address in (
        "/runs/x%0d%0aset-cookie:%20a=1%0d%0a%0d%0a%3Cscript%3E",
        "/runs/x%0d%0aset-cookie:%20a=1",
    ):
        got = server.ask(address)
        assert got.status == 404
        assert "set-cookie" not in got.headers
        assert got.text.count("<script>") == 1  # ours, in the head


OUTSIDE = ["..%2fprivate", "%2e%2e%2fprivate", "cup%2f..%2f..%2fprivate", "..%2fresults%2fcup"]
WEAK = """
from arena.web.feed import Feed
from arena.web.site import Site
Site.find = lambda self, name: self._feeds.setdefault(name, Feed(self.results / name, self._desk, lambda: 0))
import starlette.routing as routing
routing.compile_path.__globals__["CONVERTOR_TYPES"]["str"].regex = ".*"
"""


def test_no_address_leads_out_of_the_folder_of_runs(server, runs):
    """A run beside the folder cannot be had; a copy that makes a path of what is asked for gives it away."""
    assert [server.ask(f"/runs/{path}").status for path in OUTSIDE] == [404] * len(OUTSIDE)
    with Server(runs, changed=WEAK) as weak:
        assert 200 in [weak.ask(f"/runs/{path}").status for path in OUTSIDE]


@pytest.mark.long
def test_a_stranger_s_name_for_this_machine_is_refused_by_the_door_alone(server, runs):
    """A page whose name was bent to this machine (DNS rebinding) reads along if nobody looks at names."""
    assert server.ask("/runs/cup", host="evil.example").status == 400
    with Server(
        runs, changed="import arena.web.serving as s\ns.own_names = lambda *_: lambda name: True"
    ) as weak:
        assert weak.ask("/runs/cup", host="evil.example").status == 200
