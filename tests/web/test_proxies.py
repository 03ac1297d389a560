"""nginx and Caddy in front of a server that shows a run, with the configurations of docs/serving."""

import contextlib
import shutil
import socket
import subprocess
from threading import Thread
from types import SimpleNamespace

import pytest

from arena.web.clients import HAS_PROXY, client_of
from tests.cli.command import ARENA
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import play_games
from tests.web.proxies import DOCS, PROXIES, WAITING, Proxy, free_port, make_certificate, weaken
from tests.web.server import PATIENCE, Server

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for localhost, and its key."""
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that has been told its public address."""
    folder = tmp_path_factory.mktemp("proxied")
    play_games(folder, {"chance": CHANCE, "first": FIRST}, variants=["snort:line-9"], openings=2)
    with Server(folder, port=(port := free_port()), public_url=f"https://localhost:{port}/") as started:
        yield started


@pytest.fixture(scope="module", params=list(PROXIES))
def proxy(request, server, certificate, tmp_path_factory):
    """Each proxy in front of it."""
    started = Proxy(request.param, tmp_path_factory.mktemp(request.param), certificate, server.port)
    yield started
    started.stop()


def test_pages_come_through_with_what_they_forbid(proxy):
    """The list, a run and a bot; policy and compression are arena's own."""
    for path in ("/", "/runs/cup", "/runs/cup/bots/first"):
        got = proxy.ask(path, accept_encoding="gzip")
        assert (got.status, got.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert got.headers["content-security-policy"].startswith("default-src 'none'")
        assert (got.headers.get("content-encoding") == "gzip") == (len(got.body) > 1000)
    assert proxy.ask("/nothing").status == 404


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_news_come_at_once(proxy, encoding):
    """The first piece is there while the answer goes on; who holds pieces back would hold this one for ever."""
    with contextlib.closing(proxy.line()) as line:
        line.request("GET", "/runs/cup/events", headers={"accept-encoding": encoding})
        got = line.getresponse()
        assert (got.status, got.getheader("content-type")) == (200, "text/event-stream; charset=utf-8")
        begun = b""
        while len(begun) < 100:
            begun += got.read1(1 << 16)
        assert not got.isclosed()


def test_a_proxy_that_waits_for_more_is_seen_by_that_test(server, certificate, tmp_path):
    """The setting matters: with the usual one, nothing comes."""

    proxy = Proxy("nginx", tmp_path, certificate, server.port, weaken(*WAITING))
    try:
        with contextlib.closing(proxy.line(timeout=3)) as line:
            line.request("GET", "/runs/cup/events")
            with pytest.raises(TimeoutError):
                line.getresponse().read1(1 << 16)
    finally:
        proxy.stop()


def test_what_cannot_be_sent_is_refused_in_arenas_words(proxy):
    """Whoever sends much to an address that takes nothing is cut off, and nobody else is."""
    got = proxy.ask("/runs/cup", "POST", b"x" * 10)
    assert (got.status, got.headers["allow"]) == (405, "GET, HEAD")
    assert "Nothing can be sent to this address" in got.text
    for size in (16 << 20, 18 << 20):
        with contextlib.suppress(OSError):  # it may hang up before all is sent
            assert proxy.ask("/runs/cup", "POST", b"x" * size).status in (405, 413, 502)
        assert proxy.ask("/").status == 200


def test_another_name_is_refused(proxy):
    """By arena, or by the proxy that has no such site; nothing of the page is in it."""
    for name in ("evil.example", "127.0.0.1.evil.example"):
        got = proxy.ask("/runs/cup", host=name)
        assert got.status in (400, 200, 421)
        assert b"cup" not in got.body


@contextlib.contextmanager
def recording():
    """An upstream that keeps the head of each request."""
    heads = []

    def answer():
        with contextlib.suppress(OSError):
            while True:
                line, peer = listening.accept()
                with line:
                    heads.append((peer[0], line.recv(1 << 16)))
                    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=answer, daemon=True).start()
        yield SimpleNamespace(port=listening.getsockname()[1], heads=heads)
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("name", list(PROXIES))
def test_a_reader_is_known_by_the_true_address_whatever_it_says(name, certificate, tmp_path):
    """What arena makes of the head that the proxy sends; the name that was asked for is in it."""
    with recording() as upstream:
        proxy = Proxy(name, tmp_path, certificate, upstream.port)
        try:
            proxy.ask("/", source="127.0.0.5")
            proxy.ask("/", source="127.0.0.6", x_forwarded_for="203.0.113.9, 198.51.100.1")
        finally:
            proxy.stop()
    seen = []
    for peer, head in upstream.heads:
        lines = [line.split(b": ", 1) for line in head.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:]]
        headers = [(key.lower(), value) for key, value in lines]
        seen.append(client_of({"client": (peer, 1), "headers": headers, HAS_PROXY: True}))
        assert dict(headers)[b"host"].startswith(b"localhost")
    assert seen == ["127.0.0.5", "127.0.0.6"]


def test_systemd_finds_no_fault_in_the_unit(tmp_path):
    """It is asked about the file of docs/serving, with a program that is there."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here: on Debian `apt-get install systemd`")
    unit = (DOCS / "arena.service").read_text()
    (tmp_path / "arena.service").write_text(unit.replace("/srv/arena/.venv/bin/arena", str(ARENA)))
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "arena.service")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
