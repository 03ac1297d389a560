"""A contest behind nginx and Caddy: bots are handed in, the organiser decides, and readers play, as over the net."""

import contextlib
import json
import subprocess
from urllib.parse import urlencode

import pytest

from arena.contest.book import ENTERED, WAITING, Book
from arena.web import guessing, playing
from arena.web.app import FOREIGN
from arena.web.form import TOO_LARGE
from arena.web.gate import TOO_MANY_GUESSES
from arena.web.uploading import NO_TOKEN
from tests.pages.browser import Page
from tests.web import proxies
from tests.web.contests import make_contest, wait_for, wait_until_played
from tests.web.hosting import KIND, form
from tests.web.proxies import PROXIES, Proxy, free_port, make_certificate, weaken
from tests.web.server import Server

pytestmark = pytest.mark.long

SLOW = b"""# %s
import time
def move(position):
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass
    return position.legal_moves[0]
"""
"""A bot whose check takes seconds."""


class Contest:
    """A contest whose server was told its public address."""

    def __init__(self, base):
        make_contest(base, own=("first", "second"))
        self.base, self.folder, self.book = base, base / "results" / "cup", Book(base)
        port = free_port()
        self.server = Server(base, "cup.toml", port=port, public_url=f"https://localhost:{port}/")

    def state(self, name):
        """The state of the only upload under a name."""
        [upload] = self.book.uploads("cup", name)
        return upload.state


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for localhost, and its key."""
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def contest(tmp_path_factory):
    """A contest of two bots that have played."""
    made = Contest(tmp_path_factory.mktemp("contest"))
    with made.server, contextlib.closing(made.book):
        wait_until_played(made.folder, {"first", "second"})
        yield made
        assert made.server.stop()[:2] == (130, "")


@pytest.fixture(scope="module", params=list(PROXIES))
def proxy(request, contest, certificate, tmp_path_factory):
    """Each proxy in front of it."""
    started = Proxy(request.param, tmp_path_factory.mktemp(request.param), certificate, contest.server.port)
    yield started
    started.stop()


def as_a_browser(proxy, **more):
    """What a browser says when a page of this server's sends something."""
    return {"origin": proxy.origin, "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", **more}


def watch_the_check(proxy, contest, name):
    """Hand in a bot as a browser does, and read all; return the text, and its state when the first step came."""
    sent, seen = form(contest.book.make_token(name), SLOW % name.encode(), "bot.py"), b""
    with contextlib.closing(proxy.line()) as line:
        headers = as_a_browser(proxy, **{"content-type": KIND, "accept-encoding": "gzip, deflate, br"})
        line.request("POST", "/runs/cup/submit", sent, headers)
        got = line.getresponse()
        assert (got.status, got.getheader("content-encoding")) == (200, None)
        while b"can be read" not in seen:
            seen += got.read1(1 << 16)
        state = contest.state(name)
        while some := got.read1(1 << 16):
            seen += some
    return " ".join(Page(seen.decode()).plain.split()), state


def test_a_bot_goes_from_a_browser_to_the_leaderboard(proxy, contest):
    """Its steps come while the check goes on, and the page tells of its place in the end."""
    name = f"browser-{proxy.name}"
    text, state = watch_the_check(proxy, contest, name)
    assert state == WAITING, "the first step came when it was done"
    for words in ("bot.py", "7. does the same again passed", f"passed: {name} plays, in this version"):
        assert words in text
    assert f"{name} is " in text.partition("in this version")[2]
    wait_for(lambda: f">{name}<" in proxy.ask("/runs/cup").text)


def test_a_proxy_that_holds_back_steps_is_seen_by_that_test(contest, certificate, tmp_path):
    """With the usual setting of nginx the first step comes when all are done."""
    proxy = Proxy("nginx", tmp_path, certificate, contest.server.port, weaken(*proxies.WAITING))
    try:
        assert watch_the_check(proxy, contest, "held-back")[1] == ENTERED
    finally:
        proxy.stop()


def test_a_bot_goes_from_curl_to_the_leaderboard(proxy, contest, tmp_path):
    """As docs/serving.md has it, with the token from a file: it is in no list of processes."""
    name = f"curl-{proxy.name}"
    (tmp_path / "token").write_text(contest.book.make_token(name))
    (tmp_path / "bot.py").write_bytes(SLOW % name.encode())
    sent = ["-F", "token=<token", "-F", "file=@bot.py"]
    known = ["--cacert", str(proxy.certificate[0])]
    command = ["curl", "-sSN", *known, *sent, f"{proxy.origin}/runs/cup/submit"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as curl:
        assert curl.stdout is not None
        seen = b""
        while b"can be read" not in seen:
            seen += curl.stdout.read1(1 << 16)  # type: ignore[attr-defined]
        assert contest.state(name) == WAITING
        seen += curl.stdout.read()
    assert curl.returncode == 0
    assert f"passed: {name} plays" in seen.decode()
    assert contest.state(name) == ENTERED


FOREIGNERS = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "https://localhost.evil.example", "sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


def test_what_is_not_to_be_sent_is_refused_with_a_sentence(proxy, contest):
    """From another site, with a wrong token, too large for arena, too large for the proxy; nothing is kept."""
    name = f"refused-{proxy.name}"
    token = contest.book.make_token(name)
    good = SLOW % b"refused"
    for headers in FOREIGNERS:
        got = send(proxy, form(token, good, "bot.py"), headers)
        assert (got.status, FOREIGN in Page(got.text).plain) == (403, True)
    own = as_a_browser(proxy)
    for wrong in ("wrong", token[:-1], ""):
        got = send(proxy, form(wrong, good, "bot.py"), own)
        assert (got.status, NO_TOKEN in got.text) == (403, True)
    got = send(proxy, form(token, b"#" * ((16 << 20) + 1), "bot.py"), own)
    assert (got.status, "has more than 16 MiB" in got.text) == (422, True)
    got = send(proxy, form(token, b"#" * ((16 << 20) + (1 << 19)), "bot.py"), own)
    assert (got.status, TOO_LARGE[1] in got.text) == (413, True)
    for size in (18 << 20, 40 << 20):
        got = send(proxy, form(token, b"#" * size, "bot.py"), own)
        assert (got.status, "too large" in got.text.lower()) == (413, True), size
    with contextlib.suppress(OSError):  # who sends far more may be cut off while they send
        assert send(proxy, form(token, b"#" * (70 << 20), "bot.py"), own).status in (413, 502)
    assert proxy.ask("/").status == 200
    assert contest.book.uploads("cup", name) == []


def send(proxy, body, headers, path="/runs/cup/submit", kind=KIND, source="127.0.0.1"):
    """Send something; return the answer."""
    return proxy.ask(path, "POST", body, source, **{"content-type": kind} | headers)


def test_the_organiser_opens_the_page_pauses_and_resumes(proxy, contest):
    """The deed is in the book when the page has answered."""
    token = contest.book.make_token(f"teacher-{proxy.name}", "organiser")

    def do(deed):
        body = urlencode({"token": token, "deed": deed}).encode()
        kind = "application/x-www-form-urlencoded"
        return send(proxy, body, as_a_browser(proxy), "/runs/cup/organise", kind)

    assert proxy.ask("/runs/cup/organise").status == 200
    got = do("look")
    assert (got.status, got.headers["cache-control"]) == (200, "no-store")
    assert "Paused." in do("pause").text
    assert contest.book.standing("cup").is_paused
    assert "Resumed." in do("resume").text
    assert not contest.book.standing("cup").is_paused


def post(proxy, path, source="127.0.0.1", headers=None, **sent):
    """Send JSON as the script of the page does; return status and answer."""
    said = as_a_browser(proxy, **{"sec-fetch-mode": "cors"}) | (headers or {})
    got = send(proxy, json.dumps(sent).encode(), said, f"/runs/cup/{path}", "application/json", source)
    return got.status, json.loads(got.text)


def test_a_game_against_a_bot_is_played_and_a_position_solved(proxy):
    """The page opens, a game begins, the bot answers, and the reader leaves."""
    here = f"127.0.6.{list(PROXIES).index(proxy.name)}"
    assert proxy.ask("/runs/cup/play", source=here).status == 200
    begun = {"variant": "snort:line-9", "bot": "first", "player": 1, "starter": 1}
    status, told = post(proxy, "play/begin", here, **begun)
    assert (status, told["moves"]) == (200, [])
    status, told = post(proxy, "play/move", here, game=told["game"], ply=0, cell=4)
    assert (status, len(told["moves"])) == (200, 2)
    assert post(proxy, "play/leave", here, game=told["game"])[0] == 200
    status, told = post(proxy, "solve/position", here, variant="snort:line-9", moves=[4])
    assert (status, told["winner"] in (0, 1)) == (200, True)


def use_up(proxy, one, other):
    """Begin no game as often as one may from an address; return what this and another are told then."""
    nothing = {"variant": "none", "bot": "first", "player": 1, "starter": 1}
    for _ in range(playing.GAMES[0]):
        assert post(proxy, "play/begin", one, **nothing)[0] == 404
    forged = {"x-forwarded-for": "203.0.113.9"}
    return [post(proxy, "play/begin", each, forged, **nothing)[0] for each in (one, other)]


def test_what_a_reader_may_use_up_is_counted_by_the_true_address(proxy):
    """Whoever has used it up is refused, whatever they say of themselves; others go on."""
    number = list(PROXIES).index(proxy.name)
    assert use_up(proxy, f"127.0.1.{number}", f"127.0.2.{number}") == [429, 404]


def test_wrong_tokens_are_counted_by_the_true_address(proxy):
    """Somebody who guesses does not slow down anybody else's typing errors."""
    number = list(PROXIES).index(proxy.name)

    def guess(source):
        body = b"token=guess"
        kind = "application/x-www-form-urlencoded"
        return send(proxy, body, as_a_browser(proxy), "/runs/cup/mine", kind, source)

    guesses = [guess(f"127.0.3.{number}") for _ in range(guessing.MOST_WRONG + 1)]
    assert [each.status for each in guesses] == [403] * guessing.MOST_WRONG + [429]
    assert TOO_MANY_GUESSES in guesses[-1].text
    assert guess(f"127.0.4.{number}").status == 403


def test_a_proxy_that_does_not_say_who_asks_is_seen_by_these_tests(contest, certificate, tmp_path):
    """Then all readers are one: it is the last line that counts."""
    hidden = weaken("X-Forwarded-For $remote_addr;", 'X-Forwarded-For "";')
    proxy = Proxy("nginx", tmp_path, certificate, contest.server.port, hidden)
    try:
        assert use_up(proxy, "127.0.5.1", "127.0.5.2") == [429, 429]
    finally:
        proxy.stop()
