"""Attacks on what takes uploads, over real HTTP; where it can be, each is first seen to work on a weakened copy."""

import contextlib
import gc
import http.client
import io
import socket
import struct
import tempfile
import threading
import time
import zipfile

import pytest

from arena.contest import unpacking
from arena.contest.book import Book
from arena.web import form as forms
from arena.web import guessing, uploading
from arena.web.allowance import Allowance
from arena.web.app import Door
from tests.pages.browser import Page
from tests.web.contests import make_contest
from tests.web.hosting import BOUNDARY, GOOD, KIND, Hosting, form
from tests.web.server import Answer, Server


@pytest.fixture(scope="module")
def hosting(tmp_path_factory):
    """A server that takes bots and checks none of them: they are not what is under attack."""
    with Hosting(tmp_path_factory.mktemp("attacked"), is_checking=False) as started:
        yield started


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """All tests come from one address; wrong tokens are counted where that is the point."""
    monkeypatch.setattr(guessing, "MOST_WRONG", 10_000)


@pytest.fixture
def token(hosting, request):
    """A participant of its own for each test."""
    return hosting.token(f"t{abs(hash(request.node.name))}")


def send(hosting, body, path="/runs/cup/submit", **headers):
    """Send a body, and read only the beginning of the answer: uploads are told about until they are checked."""
    with contextlib.closing(hosting.connect()) as line:
        line.request("POST", path, body, {"content-type": KIND} | headers)
        got = line.getresponse()
        text = b""
        while (got.status != 200 or b"</header>" not in text) and (some := got.read1(1 << 16)):
            text += some
        names = {name.lower() for name, _ in got.getheaders()}
        return Answer(got.status, {name: str(got.getheader(name)) for name in names}, text)


def count(hosting):
    return len(hosting.contest.book.uploads("cup"))


# Names of files.


@pytest.mark.parametrize(
    "name", ["../../etc/x.py", "/etc/cron.d/x.py", "..\\..\\x.py", "C:\\x.py", "a\0b.py", "." * 4000 + ".py"]
)
def test_the_name_of_a_file_is_never_a_path(hosting, token, name):
    """Nothing is written where it leads, and nothing of it is kept: the bot is called as its token."""
    base = hosting.contest.book.file.parent.parent
    assert send(hosting, form(token, GOOD, name)).status == 200
    assert {file.name.partition("-")[0] for file in base.rglob("*")} == {"contests", "book.sqlite"}
    upload = hosting.contest.book.uploads("cup")[-1]
    assert (upload.source.main, list(upload.source.files)) == ("bot.py", ["bot.py"])


EVALUATED = 7_000_003 * 7_000_003  # a number that nothing else in a page is
NASTY = "\"'><script>alert(1)</script>{{7000003*7000003}}\r\nset-cookie: a=b\r\n\r\n<img src=x>\u202e.py"


def test_the_name_of_a_file_is_neither_html_nor_a_header(hosting, token):
    """In the page it is text; a line break in it makes no header, and no template runs it."""
    for name in (NASTY, NASTY.replace("\r\n", " ")):
        for text in (form(token, GOOD, name), form(token, b"x", f"{name}x")):
            answer = send(hosting, text)
            assert "set-cookie" not in answer.headers
            assert answer.text.count("<script>") <= 1  # ours, in the head
            assert str(EVALUATED) not in answer.text
            assert "\u202e" not in answer.text


def test_html_from_a_file_name_would_be_seen(hosting, token, monkeypatch):
    """The test above is able to fail: without escaping the script is in the page."""
    from arena.pages import rendering

    weakened = rendering._environment().overlay(autoescape=False, cache_size=0)
    weakened.bytecode_cache = None
    monkeypatch.setattr(rendering, "_environment", lambda: weakened)
    weak = send(hosting, form(token, b"x", "<script>alert(1)</script>.js"))
    assert "<script>alert(1)</script>" in weak.text


def test_what_a_bot_wrote_is_text_on_its_page(hosting, token):
    """Titles, details, tracebacks, prints and hints: whatever a step has."""
    from arena.checking.check import Step

    assert send(hosting, form(token, GOOD, "bot.py")).status == 200
    upload = hosting.contest.book.uploads("cup")[-1]
    evil = "</pre><script>alert(1)</script>\x1b[2J<!-- \r\n -->"
    hosting.contest.book.note_verdict(upload.id, [Step(evil, False, evil, evil, evil, evil)], False)
    answer = hosting.mine(token)
    page = Page(answer.text)
    assert [tag for tag, _ in page.seen].count("script") == 1  # ours, in the head
    assert page.plain.count("<script>alert(1)</script>") == 5
    assert "\x1b" not in answer.text


# From elsewhere.


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://127.0.0.1"},
        {"host": "evil.example"},
    ],
)
@pytest.mark.parametrize("path", ["/runs/cup/submit", "/runs/cup/mine"])
def test_other_sites_cannot_send_in_somebodys_name(hosting, token, path, headers):
    """Not even with a good token: whoever opens a stranger's page hands in nothing."""
    before = count(hosting)
    assert send(hosting, form(token, GOOD, "bot.py"), path, **headers).status in (400, 403)
    assert count(hosting) == before


def test_a_form_of_another_site_would_be_seen(hosting, token, monkeypatch):
    """The test above is able to fail: without the door's question the bot is taken."""
    monkeypatch.setattr(Door, "_is_ours", lambda *_: True)
    before = count(hosting)
    assert send(hosting, form(token, GOOD, "bot.py"), origin="https://evil.example").status == 200
    assert count(hosting) == before + 1


# Tokens.


def test_unknown_missing_and_revoked_tokens_are_told_the_same(hosting, token):
    """Nobody learns from an answer which names there are, nor that a token was good once."""
    gone = hosting.token("gone")
    hosting.contest.book.revoke("gone")
    tried = [None, "", "x", token[:-1], token.swapcase(), gone, "gone", "' OR 1=1 --", "\x00", "x" * 60_000]
    answers = {
        (send(hosting, form(each, GOOD, "bot.py")).status, send(hosting, form(each, GOOD, "bot.py")).text)
        for each in tried[:5]
    }
    answers |= {
        (answer.status, answer.text)
        for answer in (send(hosting, form(each, GOOD, "bot.py")) for each in tried[5:])
    }
    assert {status for status, _ in answers} == {403}
    assert len(answers) == 1
    assert uploading.NO_TOKEN in answers.pop()[1]


def test_a_token_that_was_replaced_is_not_good_any_more(hosting):
    """A token that somebody has read over a shoulder is worth nothing once there is a new one."""
    old = hosting.token("careless")
    new = hosting.token("careless", replace=True)
    assert (hosting.mine(old).status, hosting.mine(new).status) == (403, 200)


def test_guessing_is_slowed_and_lets_in_whoever_has_a_token(tmp_path, monkeypatch):
    """After some wrong ones in a minute the answer is 429, but not to a good one: all may share an address."""
    monkeypatch.setattr(guessing, "MOST_WRONG", 20)
    with Hosting(tmp_path, is_checking=False) as hosting:
        good = hosting.token("anna")
        statuses = [hosting.mine(f"guess{number}").status for number in range(23)]
        assert statuses == [403] * 20 + [429] * 3
        assert send(hosting, form("guess", GOOD, "bot.py")).status == 429
        assert hosting.mine(good).status == 200
        monkeypatch.setattr(guessing, "SECONDS", 0.0)
        assert hosting.mine("guess").status == 403, "a minute later"


def test_only_so_many_addresses_are_remembered():
    """Whoever has many addresses fills no memory."""
    guesses = guessing.Guesses()
    assert not any(guesses.note(str(number), number / 1000) for number in range(3000))
    assert len(guesses._wrong) == guessing.MOST_ADDRESSES


# One token, twice at once.


def race(hosting, token):
    """Send two bots at the same moment; return how many were received and the statuses."""
    before, statuses, start = count(hosting), [], threading.Barrier(2)

    def try_it(data):
        start.wait()
        statuses.append(send(hosting, form(token, data, "bot.py")).status)

    threads = [threading.Thread(target=try_it, args=(GOOD + bytes([letter]),)) for letter in b"#\n"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count(hosting) - before, sorted(statuses)


def test_of_two_uploads_with_one_token_at_once_one_is_received(hosting, token):
    """The other one is told to wait."""
    assert race(hosting, token) == (1, [200, 409])


def test_two_uploads_at_once_would_be_seen(hosting, token, monkeypatch):
    """The test above is able to fail: if nobody asks who waits, both are received."""
    monkeypatch.setattr(Book, "_find_refusal", lambda *_: None)
    monkeypatch.setattr(uploading.Inbox, "_reserve", lambda *_: None)
    assert race(hosting, token) == (2, [200, 200])


# Bodies.


def test_a_huge_body_is_refused_before_it_is_read(hosting, token):
    """By what it announces; and it may announce a number that no computer has."""
    for announced in (forms.WASTE_BYTES + 1, 10**15, "9" * 400):
        with contextlib.closing(hosting.connect()) as line:
            line.putrequest("POST", "/runs/cup/submit")
            line.putheader("content-type", KIND)
            line.putheader("content-length", str(announced))
            line.endheaders(form(token, GOOD, "bot.py"))
            assert line.getresponse().status in (400, 413)


def test_a_chunked_body_is_counted_as_it_comes(hosting, token, monkeypatch):
    """It announces nothing, and is cut off where it is too long; memory and disk hold no more of it."""
    monkeypatch.setattr(forms, "UPLOAD_BYTES", 1 << 20)
    sent = 0

    def pieces():
        nonlocal sent
        yield form(token, b"", "bot.py")[: -len(BOUNDARY) - 8]
        while sent < 1 << 30:
            sent += 1 << 16
            yield b"#" * (1 << 16)

    with contextlib.closing(hosting.connect()) as line:
        with contextlib.suppress(ConnectionError):
            line.request("POST", "/runs/cup/submit", pieces(), {"content-type": KIND}, encode_chunked=True)
        with contextlib.suppress(ConnectionError, http.client.HTTPException):
            assert line.getresponse().status == 413
    assert sent < 3 * forms.WASTE_BYTES


def test_a_chunked_body_that_is_a_little_too_long_is_told_so(hosting, token, monkeypatch):
    """What is over the limit is read on and thrown away, so that a browser shows the sentence."""
    monkeypatch.setattr(forms, "UPLOAD_BYTES", 1 << 18)
    answer = send(hosting, iter([form(token, b"#" * (1 << 20), "bot.py")]))
    assert (answer.status, "too large" in answer.text) == (413, True)


def test_nothing_is_kept_of_a_file_that_comes_without_a_token(hosting, token, monkeypatch):
    """Neither before its token nor with a wrong one: whoever has none fills neither memory nor disk."""
    kept = []

    class Seen(tempfile.SpooledTemporaryFile[bytes]):
        def write(self, data):
            kept.append(len(data))
            return super().write(data)

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", Seen)
    large = b"#" * (4 << 20)
    reversed_form = form(None, large, "bot.py")[: -len(BOUNDARY) - 6] + form(token, b"", "x.py")
    for body, status in (
        (form("wrong", large, "bot.py"), 403),
        (reversed_form, 400),
        (form(None, large, "bot.py"), 400),
    ):
        kept.clear()
        assert send(hosting, body).status == status
        assert sum(kept) <= 2 * forms.FIELD_BYTES + (1 << 16)
    kept.clear()
    assert send(hosting, form(token, large, "bot.py")).status == 200
    assert sum(kept) == len(large), "and with a good one all of it is"


def drip(hosting, token, pause, most):
    """Send a body drop by drop; return the status, or None if the connection was cut, and the seconds."""
    body = form(token, GOOD * 2000, "bot.py")
    begun = time.monotonic()
    with contextlib.closing(socket.create_connection(("127.0.0.1", hosting.port))) as line:
        head = f"POST /runs/cup/submit HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {KIND}\r\ncontent-length: {len(body)}\r\n\r\n"
        line.sendall(head.encode() + body[:300])
        line.settimeout(pause)
        while time.monotonic() < begun + most:
            try:
                answer = line.recv(100)
                return int(answer.split()[1]) if answer else None, time.monotonic() - begun
            except TimeoutError:
                line.sendall(b"#")
    return 0, time.monotonic() - begun


@pytest.mark.parametrize(("idle", "whole", "pause"), [(0.3, 60.0, 5.0), (10.0, 0.5, 0.05)])
def test_a_slow_body_is_cut_off(hosting, token, monkeypatch, idle, whole, pause):
    """One that stops, and one that comes drop by drop; neither keeps the participant from sending again."""
    monkeypatch.setattr(forms, "IDLE_SECONDS", idle)
    monkeypatch.setattr(forms, "WHOLE_SECONDS", whole)
    status, seconds = drip(hosting, token, pause, 20)
    assert status == 408
    assert seconds < 10
    assert send(hosting, form(token, GOOD, "bot.py")).status == 200


def test_slow_senders_do_not_keep_others_out(hosting, monkeypatch):
    """Whoever has no token holds no place, and one token holds one."""
    monkeypatch.setattr(uploading, "MOST_AT_ONCE", 2)
    slow, quick = hosting.token("slow"), hosting.token("quick")
    lines = []
    for each in [slow] * 5 + ["wrong"] * 5:
        line = socket.create_connection(("127.0.0.1", hosting.port))
        head = f"POST /runs/cup/submit HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {KIND}\r\ncontent-length: 100000\r\n\r\n"
        line.sendall(head.encode() + form(each, b"#" * 1000, "bot.py")[:900])
        lines.append(line)
    while send(hosting, form(slow, GOOD, "bot.py")).status != 409:
        time.sleep(0.01)  # until the first of them has its place
    assert send(hosting, form(quick, GOOD, "bot.py")).status == 200
    for line in lines:
        line.close()


MALFORMED = [
    b"",
    b"token=x&file=y",
    f"--{BOUNDARY}\r\n".encode() * 1000,
    f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="a"\r\n\r\n'.encode() * 20
    + f"--{BOUNDARY}--".encode(),
    f"--{BOUNDARY}\r\nx: ".encode() + b"y" * 50_000,
    f"--{BOUNDARY}\r\n".encode() + b"a: b\r\n" * 5_000,
    f"--{BOUNDARY}\r\n\r\n\r\n--{BOUNDARY}--".encode(),
    b"\r\n" * 20_000,
]
"""What no form of ours sends."""


@pytest.mark.parametrize("body", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_forms_are_refused(hosting, body):
    """One sentence each, and no error of ours."""
    assert send(hosting, body).status in (400, 403)
    assert send(hosting, body, "/runs/cup/mine").status in (400, 403)


def test_nobody_writes_to_the_terminal(tmp_path):
    """Whatever a stranger sends: the terminal, or the journal, is the organiser's."""
    make_contest(tmp_path, own=())
    with Server(tmp_path, "cup.toml") as server:
        for path in ("submit", "mine", "organise", "export", "play/begin"):
            for body in (*MALFORMED, form("x", GOOD, "bot.py") + b"more"):
                assert server.ask(f"/runs/cup/{path}", "POST", body, content_type=KIND).status >= 400
        assert server.stop()[:2] == (130, "")


def test_two_files_at_once_are_refused(hosting, token):
    """Of which would one be told?"""
    both = form(token, GOOD, "a.py")[: -len(BOUNDARY) - 6] + form(None, GOOD, "b.py")
    assert send(hosting, both).status == 400


def stop_the_clock(monkeypatch):
    """Let no time go by for allowances, however slow the machine is."""
    take = Allowance.take
    monkeypatch.setattr(Allowance, "take", lambda self, who, now: take(self, who, 0.0))


def test_1000_uploads_from_one_token_are_refused_beyond_the_limit(hosting, token, monkeypatch):
    """In short: each is a sentence, and what is kept is one bot."""
    stop_the_clock(monkeypatch)
    before = count(hosting)
    body = form(token, b"#" * (64 << 10), "bot.py")
    statuses = [send(hosting, body).status for _ in range(40)]
    at_once, _ = uploading.UPLOADS
    assert statuses == [200] + [409] * (at_once - 1) + [429] * (40 - at_once)
    assert count(hosting) == before + 1


# Zips.


def zipped(*entries):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o120777 if name == "link" else 0o100644) << 16
            archive.writestr(info, data)
    return made.getvalue()


ZEROS = bytes(17 << 20)
ZIPS = {
    "climbs out": (zipped(("bot.py", GOOD), ("../../x", b"")), "is not a path inside"),
    "absolute": (zipped(("bot.py", GOOD), ("/etc/x", b"")), "is not a path inside"),
    "link": (zipped(("bot.py", GOOD), ("link", b"/etc/passwd")), "is a link"),
    "bomb": (zipped(("bot.py", GOOD), ("x", ZEROS)), "more than 16 MiB unpacked"),
    "lying bomb": (
        zipped(("bot.py", GOOD), ("x", ZEROS)).replace(struct.pack("<L", len(ZEROS)), struct.pack("<L", 9)),
        "damaged",
    ),
    "many": (zipped(("bot.py", GOOD), *((f"{n}", b"") for n in range(1100))), "more than 1,000 files"),
    "no zip": (b"PK\x03\x04" + b"\xff" * 5000, "damaged"),
}


@pytest.mark.parametrize("kind", ZIPS)
def test_hostile_zips_are_refused(hosting, token, kind):
    """With a sentence; nothing is received."""
    before, (data, sentence) = count(hosting), ZIPS[kind]
    answer = send(hosting, form(token, data, "bot.zip"))
    assert (answer.status, sentence in Page(answer.text).plain) == (422, True)
    assert count(hosting) == before


def test_who_sends_zips_one_right_after_the_other_is_told_to_wait(hosting, token, monkeypatch):
    """What is refused costs as much as what is taken. Whoever makes some mistakes within a minute need not wait."""
    unpacked, unpack = [], unpacking.unpack

    def note(*values):
        unpacked.append(values[-1])
        return unpack(*values)

    monkeypatch.setattr(uploading, "unpack", note)
    stop_the_clock(monkeypatch)
    bomb = form(token, ZIPS["bomb"][0], "bot.zip")
    at_once, _ = uploading.UPLOADS
    answers = [send(hosting, bomb) for _ in range(at_once + 3)]
    assert [answer.status for answer in answers] == [422] * at_once + [429] * 3
    assert uploading.TOO_FAST in Page(answers[-1].text).plain
    assert len(unpacked) == at_once
    assert send(hosting, form(hosting.token("other"), GOOD, "bot.py")).status == 200


def test_a_zip_bomb_would_be_seen(hosting, token, monkeypatch):
    """The test above is able to fail: without the count of bytes it is unpacked whole."""
    monkeypatch.setattr(unpacking, "MOST_BYTES", 64 << 20)
    with pytest.raises(Exception, match=r"more than 16 MiB$"):  # by the second wall, which is too late
        unpacking.unpack(io.BytesIO(ZIPS["bomb"][0]), "bot.zip", "x")


def test_refusing_costs_no_memory(hosting):
    """A thousand refusals leave nothing behind, neither files nor what was sent."""
    body = form("wrong", b"#" * 50_000, "bot.py")
    send(hosting, body)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(100):
        send(hosting, body)
    gc.collect()
    assert len(gc.get_objects()) < before + 1000
