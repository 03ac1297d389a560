"""What a server shows and what it refuses, over real HTTP: runs by the names of the listing, and nothing else."""

import contextlib
import gzip
import os
import re
import shutil
import signal
import socket
from urllib.parse import quote

import pytest

from arena.pages.live import draw_strip, draw_tables, tell_now
from arena.pages.report import write_report
from arena.results.progress import read_progress
from tests.browser.samples import play_sample, spoil
from tests.cli.command import inside
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import LIAR, change, copied, play
from tests.web.server import Server, check_served

NASTY = "<img src=x onerror=alert(1)>&\"'%2e%2e{{ 7 * 7 }}"
SECRET = "kayles:line-7"
SEED = 987654321
NAMES = ["cup", "going", NASTY, "damaged", "contest", "empty"]
MARK = "# nobody is to see this line"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with runs: one that is over, one that is not and has a secret variant, and some that are odd."""
    folder = tmp_path_factory.mktemp("served")
    bots = {"first": f"{FIRST}{MARK}\n", "chance": CHANCE, "liar": LIAR}
    cup = play(folder, bots, variants=["snort:line-9", "blockade-4x4"], openings=2, seed=SEED)
    secret = f'[field]\nsecret = ["{SECRET}"]\n'
    going = play(folder, bots, name="going", variants=["snort:line-9"], openings=2, seed=SEED, limits=secret)
    change(
        going,
        "DELETE FROM games WHERE rowid IN (SELECT rowid FROM games ORDER BY variant LIMIT 3)",
    )
    write_report(cup)
    results = cup.folder.parent
    contest = play(
        folder, bots, name="contest", variants=["snort:line-9"], openings=2, seed=SEED, limits=secret
    )
    change(contest, "INSERT INTO facts VALUES ('contest', 'open')")
    copied(cup, results / NASTY)
    copied(cup, results / "damaged")
    (results / "damaged" / "games.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 9000)
    (results / "empty").mkdir()
    (results / ".hidden").mkdir()
    shutil.copy(cup.folder / "games.sqlite", results / ".hidden")
    for at, name in enumerate(NAMES[:5]):
        os.utime(results / name / "games.sqlite", (1e9 + at * 1e6,) * 2)
    return folder


@pytest.fixture(scope="module")
def server(runs):
    """A server of that folder."""
    with Server(runs) as started:
        yield started
        code, complaints, seconds = started.stop()
        assert (code, complaints) == (130, "")
        assert seconds < 2


def test_the_list_has_every_run_the_newest_first(server):
    """With bots, games and who leads; what cannot be read says so, and hidden folders are not there."""
    page = check_served(server.ask().text)
    assert re.findall(r'href="(runs/[^"]+)"', page.text) == [
        f"runs/{quote(name, safe='')}" for name in NAMES[4::-1]
    ]
    assert "3 bots, 24 of 24 games, 2001-09-09 01:46 UTC" in page.plain
    assert "3 bots, 12 of 12 games" in page.plain, "those on the secret variant are not counted"
    assert "first is first" in page.plain or "leads" in page.plain or "cannot be told apart" in page.plain
    assert "It cannot be read, or not yet." in page.plain
    assert "hidden" not in re.findall(r"\w+", page.plain)


def test_the_page_of_a_run_is_the_report_and_a_strip_that_waits_for_a_script(server, runs):
    """The same parts in the same order; without a script it is the report, and it leads back to the list."""
    served = server.ask("/runs/cup")
    page = check_served(served.text)
    report = (runs / "results" / "cup" / "report.html").read_text()
    assert re.findall("<h2>.*?</h2>", page.text) == re.findall("<h2>.*?</h2>", report)
    assert re.findall("<dd>.*?</dd>", page.text) == re.findall("<dd>.*?</dd>", report)
    assert re.search('<aside id="live"[^>]* data-events="cup/events"[^>]* hidden>', page.text)
    assert '<a href="../">All runs</a>' in page.text
    assert "<b>24</b> of 24 games" in page.text
    assert "live" not in re.findall(r'id="([\w-]+)"', report)
    assert "connect-src" not in report


HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
}
ASKED = [
    ("GET", "/", 200),
    ("HEAD", "/", 200),
    ("GET", "/runs/cup", 200),
    ("HEAD", "/runs/cup", 200),
    ("HEAD", "/runs/cup/events", 200),
    ("GET", "/runs/damaged", 503),
    ("GET", "/runs", 404),
    ("GET", "/runs/", 404),
    ("GET", "/runs/cup/", 404),
    ("GET", "/runs/empty", 404),
    ("GET", "/runs/.hidden", 404),
    ("GET", "/favicon.ico", 404),
    ("POST", "/", 405),
    ("PUT", "/runs/cup", 405),
    ("DELETE", "/runs/cup", 405),
    ("OPTIONS", "/", 405),
]


@pytest.mark.parametrize(("method", "path", "status"), ASKED)
def test_every_answer_forbids_what_it_does_not_need(server, method, path, status):
    """The policy with its hashes, no frames, no cookies, no guesses; what is not there is a plain page."""
    got = server.ask(path, method)
    assert got.status == status
    assert got.headers.items() >= HEADERS.items()
    policy = got.headers["content-security-policy"]
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+' 'sha256-[^ ]+'; connect-src 'self'; "
        r"base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        policy,
    )
    assert "set-cookie" not in got.headers
    assert "server" not in got.headers
    assert (got.body == b"") == (method == "HEAD")
    if status == 405:
        assert got.headers["allow"] == "GET, HEAD"
    if status in (404, 405):
        check_served(got.text)
        assert "Traceback" not in got.text


OUTSIDE = [
    "/runs/..",
    "/runs/.",
    "/runs/../cup",
    "/runs/%2e%2e",
    "/runs/%2e%2e%2fcup",
    "/runs/..%2f..%2f..%2fetc%2fpasswd",
    "/runs/..%5c..%5ccup",
    "/runs/%2fetc%2fpasswd",
    "/runs/cup%00",
    "/runs/cup%2fgames.sqlite",
    "/runs/cup/games.sqlite",
    "/runs/cup/../cup/games.sqlite",
    "/runs/CUP",
    "/runs/cup%20",
    "/runs/cup%0d%0ax-evil:%201",
    "/runs/cup/report.html",
    "//etc/passwd",
    "/etc/passwd",
    "/runs/%ff%fe",
    "/runs/" + "a" * 5_000,
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_but_a_name_of_the_list_is_a_run(server, path):
    """Whatever an address says, it is compared with names and is never a path."""
    got = server.ask(path)
    assert got.status == 404
    assert "There is nothing at this address." in got.text
    assert "x-evil" not in got.headers


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:8000", "localhost."])
def test_it_answers_under_the_names_of_loopback(server, host):
    """With a port or without."""
    assert server.ask(host=host).status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example:80", "", "10.1.2.3", "[", "a b"],
)
def test_it_answers_under_no_other_name(server, host):
    """A page elsewhere whose name was bent to this machine learns nothing."""
    got = server.ask(host=host)
    assert got.status == 400
    assert "cup" not in got.text


def test_a_request_without_a_name_or_with_two_is_refused(server):
    """So that nobody in between reads another one than we do."""
    for head in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
            line.sendall(head)
            assert b"400" in line.recv(99).partition(b"\r\n")[0]


def test_hostile_names_of_runs_are_text(server):
    """In the list, in the page and in what it is sent."""
    address = f"/runs/{quote(NASTY, safe='')}"
    for text in (server.ask().text, server.ask(address).text):
        assert "<img" not in text
        assert check_served(text)
    assert f'data-events="{quote(NASTY, safe="")}/events"' in server.ask(address).text
    with contextlib.closing(server.news(quote(NASTY, safe=""))) as news:
        news.next()
        assert news.state["isOver"]


def test_hostile_names_of_bots_are_text_in_all_that_is_sent(runs, tmp_path, monkeypatch):
    """The door, which refuses such logs, is held open for this."""
    odd = spoil(play_sample(tmp_path / "sample"), tmp_path / "cup", monkeypatch)
    tables = draw_tables(odd, "cup")
    strip = draw_strip(tell_now(read_progress(odd), 3.0, 0.0, is_quiet=False))
    for html in (tables.header, tables.reading, *tables.tables.values(), strip):
        assert "<script" not in html
        assert "<img" not in html
        assert "\u202e" not in html
    assert sum("&lt;svg onload" in html for html in tables.tables.values()) == len(tables.tables)
    assert "<b>" in strip


def test_what_is_secret_does_not_leave_before_the_end(server, runs):
    """Not the secret variant, not the seed, not the tournament file; and nobody's source or prints ever."""
    sent = []
    for name in ("going", "contest"):
        with contextlib.closing(server.news(name)) as news:
            news.next()
            sent.append(str(news.state))
    for text in (*(server.ask(path).text for path in ("/", "/runs/going", "/runs/contest")), *sent):
        assert SECRET not in text
        assert "kayles" not in text
        assert str(SEED) not in text
    over = server.ask("/runs/cup").text
    assert str(SEED) in over, "the tournament file is in the report of a run that is over"
    for text in (over, server.ask("/runs/going").text):
        assert MARK not in text
        assert "now for a lie" not in text
        assert str(runs) not in text


def test_a_run_that_cannot_be_read_is_a_sentence_without_its_place(server, runs):
    """Whoever reads it learns what is wrong, and not where the folder is."""
    got = server.ask("/runs/damaged")
    assert "This run cannot be shown now: damaged/games.sqlite: " in check_served(got.text).plain
    assert str(runs) not in got.text


def test_large_pages_and_news_are_compressed_for_who_can_read_that(server):
    """The page whole, and the news piece by piece: the first is there before there is a second."""
    for said, is_packed in (("gzip, deflate, br", True), ("gzip;q=0", False), ("br", False), ("", False)):
        got = server.ask("/runs/cup", accept_encoding=said)
        assert (got.headers.get("content-encoding") == "gzip") == is_packed
        text = gzip.decompress(got.body) if is_packed else got.body
        assert text.endswith(b"</html>\n") or text.endswith(b"</html>")
        assert len(got.body) < len(text) / 3 or not is_packed
    with (
        contextlib.closing(server.news("cup", is_packed=True)) as packed,
        contextlib.closing(server.news("cup")) as news,
    ):
        assert packed.answer.getheader("content-encoding") == "gzip"
        assert news.answer.getheader("content-encoding") is None
        assert packed.next() == news.next()


def test_nothing_is_written_into_a_run_folder(server, runs):
    """Reading leaves no cache and no lock there."""
    results = runs / "results"
    (results / "copy").mkdir()
    shutil.copy(results / "cup" / "games.sqlite", results / "copy")
    assert server.ask("/runs/copy").status == 200
    left = {file.name for file in (results / "copy").iterdir()}
    shutil.rmtree(results / "copy")
    assert left <= {"games.sqlite", "games.sqlite-wal", "games.sqlite-shm"}


def test_a_port_in_use_is_one_line(server, runs):
    """It says what to type instead."""
    done = inside("serve", "--port", server.port, cwd=runs)
    assert done.returncode == 1
    said = f"arena: port {server.port} is in use, perhaps by another `arena serve`; try --port {server.port + 1}\n"
    assert (done.stdout, done.stderr) == ("", said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "no.such.host.invalid"], "does not know such a host"),
        (["--host", "203.0.113.7"], "this machine has no such address"),
        (["--public-url", "arena.example.org"], "is no address such as https://arena.example.org"),
    ],
)
def test_a_wrong_address_is_one_line(tmp_path, options, said):
    """Before anything is served."""
    done = inside("serve", "--port", "0", *options, cwd=tmp_path)
    assert done.returncode == 1
    assert said in done.stderr.splitlines()[-1]


def test_without_its_packages_the_command_names_the_extra(tmp_path, monkeypatch):
    """Every other command works without them."""
    import sys

    import arena.web

    monkeypatch.setattr(arena, "web", arena.web)  # so that other tests find the package that they imported
    for name in [name for name in sys.modules if name.startswith(("arena.web", "starlette", "uvicorn"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = inside("serve", cwd=tmp_path)
    assert done.returncode == 1
    assert "is not installed; `pip install 'lastmove[web]'` does it" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_address_that_only_takes_says_so(server):
    """There is something at it."""
    got = server.ask("/runs/cup/play/begin")
    assert (got.status, "This address only takes what is sent to it" in got.text) == (405, True)


def test_what_a_killed_server_left_is_removed_by_the_next(tmp_path, monkeypatch):
    """A server that lives keeps its own folder."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "results").mkdir()
    with Server(tmp_path) as killed, Server(tmp_path) as other:
        killed.stop(signal.SIGKILL)
        with Server(tmp_path) as third:
            left = {int(folder.name.split("-")[1]) for folder in tmp_path.glob("arena-*")}
            assert left == {other.process.pid, third.process.pid}
        other.stop()


def test_ctrl_c_ends_a_server_that_was_started_where_it_is_ignored(tmp_path):
    """As a shell does it to what is started behind `&`; it ends in order, as everywhere else."""
    (tmp_path / "results").mkdir()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        server = Server(tmp_path, changed="import arena")  # started by this process, which ignores it
    finally:
        signal.signal(signal.SIGINT, before)
    with server:
        assert server.ask().status == 200
        assert server.stop()[:2] == (130, "")


def test_what_asks_it_to_end_ends_it_in_order(tmp_path, monkeypatch):
    """As systemd does; nothing is left in the temporary directory."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "results").mkdir()
    with Server(tmp_path) as server:
        assert server.ask().status == 200
        assert server.stop(signal.SIGTERM)[:2] == (130, "")
    assert [*tmp_path.glob("arena-*")] == []
