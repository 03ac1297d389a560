"""A bot is handed in by a browser: the answer tells what happens as it happens, and nobody else learns of it."""

import contextlib
import http.client
import io
import re
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.contest.book import ENTERED, FAILED, WAITING
from arena.contest.deeds import READMIT, WITHDRAW
from arena.pages.rendering import LOOK, TEMPLATES
from arena.web.telling import STOPPED
from tests.pages.browser import Page
from tests.tournament.small import LIAR, change, play
from tests.web.hosting import GOOD, KIND, Hosting, Small, form


@pytest.fixture(scope="module")
def hosting(tmp_path_factory):
    """A server that checks what it is sent."""
    with Hosting(tmp_path_factory.mktemp("contest")) as started:
        yield started


def check_page(answer):
    """No script but the one that keeps the colours, no handler, nothing from elsewhere; the forms lead to this server."""
    page = Page(answer.text)
    attributes = {name for _, attrs in page.seen for name in attrs}
    assert {name for name in attributes if name.startswith("on")} | ({"style"} & attributes) == set()
    assert re.findall("<script>(.*?)</script>", answer.text, re.S) == [(TEMPLATES / LOOK).read_text()]
    assert [tag for tag, _ in page.seen].count("script") == 1
    assert page.tags & {"img", "iframe", "object", "embed", "link", "base"} == set()
    assert {attrs["action"] for tag, attrs in page.seen if tag == "form"} <= {"submit", "mine"}
    assert "no-store" in answer.headers["cache-control"]
    assert "form-action 'self'" in answer.headers["content-security-policy"]
    return page


def test_the_form_asks_for_a_token_and_a_file(hosting):
    """It works without a script, and other runs have none."""
    answer = hosting.ask("/runs/cup/submit", method="GET")
    page = check_page(answer)
    fields = [(attrs.get("name"), attrs["type"]) for tag, attrs in page.seen if tag == "input"]
    assert fields == [("token", "password"), ("file", "file"), ("token", "password")]
    for words in ("move(position)", "position.legal_moves", "by the organiser", "ten times an hour"):
        assert words in page.plain
    assert hosting.ask("/runs/other/submit", method="GET").status == 404
    assert hosting.submit("x", filename="a.py").status == 403
    assert hosting.ask("/runs/other/submit", form("x", GOOD, "a.py"), content_type=KIND).status == 404


def test_a_good_bot_goes_from_the_file_to_the_leaderboard(hosting):
    """Received with its version, each step in the words of the command line, then its places as they change."""
    hosting.contest.places = ["waits for its games", "is 1st of 2, and was 2nd"]
    answer = hosting.submit(hosting.token("anna"), filename="my <b>bot.py")
    page = check_page(answer)
    assert answer.status == 200
    [upload] = hosting.contest.book.uploads("cup", "anna")
    assert (upload.state, upload.version[:12] in page.plain) == (ENTERED, True)
    order = [
        "my <b>bot.py", "is being checked: 1. can be read …", "1. can be read passed", "2. loads passed", "7. does the same again passed",
        "passed: anna plays, in this version", "anna waits for its games", "anna is 1st of 2, and was 2nd",
    ]  # fmt: skip
    found = [" ".join(page.plain.split()).find(words) for words in order]
    assert found == sorted(found), page.plain
    assert -1 not in found, page.plain


def test_the_answer_comes_as_it_happens(tmp_path):
    """The first part before the check has begun, and each step when it is done."""
    with Hosting(tmp_path, is_checking=False) as hosting:
        line = hosting.connect()
        token = hosting.token("anna")
        line.request("POST", "/runs/cup/submit", form(token, GOOD, "bot.py"), {"content-type": KIND})
        answer = line.getresponse()
        seen = b""
        while b"is being checked" not in seen:
            seen += answer.read1(1 << 16)
        assert b"anna: received" in seen
        assert b'class="step ' not in seen
        assert len(hosting.contest.book.uploads("cup", "anna")) == 1, "it was kept before a word was said"
        hosting.contest.checks.start()
        while b'class="step ' not in seen:
            seen += answer.read1(1 << 16)
        line.close()  # nobody reads on, and nothing is lost
        while hosting.contest.book.uploads("cup")[0].state == WAITING:
            hosting.contest.checks.wait(hosting.contest.checks.changes, 1)
        assert hosting.contest.book.uploads("cup")[0].state == ENTERED
        assert "7. does the same again" in hosting.mine(token).text


@pytest.mark.parametrize("is_checked", [False, True])
def test_a_server_that_is_stopped_says_that_the_bot_is_kept(tmp_path, is_checked):
    """Whether the bot waits or is being checked: one sentence, and no word about our own parts."""
    with Hosting(tmp_path, is_checking=is_checked) as hosting, contextlib.closing(hosting.connect()) as line:
        contest, slow = hosting.contest, b"while True: pass\n"
        line.request(
            "POST", "/runs/cup/submit", form(hosting.token("anna"), slow, "bot.py"), {"content-type": KIND}
        )
        answer, seen = line.getresponse(), b""
        while ("2. loads …" if is_checked else "is being checked").encode() not in seen:
            seen += answer.read1(1 << 16)
        contest.checks.stop()
        contest.book.close()
        page = Page((seen + answer.read()).decode())
        assert page.plain.count(STOPPED) == 1
        assert "cannot be done" not in page.plain


def test_a_bot_that_fails_says_at_which_step_and_why(hosting, monkeypatch):
    """With its traceback, what it printed and a hint; what it wrote is text, not HTML. Its author can read it later."""
    token, book = hosting.token("ben"), hosting.contest.book
    note = book.note_verdict
    # The step is shown before the verdict is written, as on a slow disk.
    monkeypatch.setattr(book, "note_verdict", lambda *verdict: (time.sleep(0.5), note(*verdict)))
    bad = b"def move(position):\n    print('<script>alert(1)</script>')\n    return '<img src=x>'\n"
    answer = hosting.submit(token, bad)
    page = check_page(answer)
    assert "3. answers on every rule book FAILED" in " ".join(page.plain.split())
    assert "hint: that is a text" in page.plain
    assert "<script>alert(1)</script>" in page.plain
    assert "FAILED: nothing has changed in the tournament" in page.plain
    assert '<a href="submit">Hand in again</a>' in answer.text
    assert hosting.contest.book.uploads("cup", "ben")[0].state == FAILED
    later = check_page(hosting.mine(token))
    assert "answers on every rule book FAILED" in " ".join(later.plain.split())
    assert "failed" in later.plain


def test_an_author_sees_which_version_plays(tmp_path):
    """The newest that has passed; those before it were entered earlier, and one that failed does not play."""
    with Hosting(tmp_path, is_checking=False) as hosting:
        token, book = hosting.token("anna"), hosting.contest.book
        for number, is_passed in enumerate((True, True, False)):
            hosting.contest.receive("anna", f"# {number}")
            book.note_verdict(book.uploads("cup", "anna")[-1].id, [], is_passed)
        page = check_page(hosting.mine(token))
        assert re.findall(r"(\d)\. version [^.]* UTC: (failed|plays|entered earlier)", page.plain) == [
            ("3", "failed"), ("2", "plays"), ("1", "entered earlier"),
        ]  # fmt: skip
        assert not any("/bots/" in attrs.get("href", "") for _, attrs in page.seen), "it has no games"


def test_a_hostile_bot_is_contained_and_fails(hosting):
    """It cannot read the book, nor whatever else this server has."""
    book = str(hosting.contest.book.file)
    code = f"data = open({book!r}, 'rb').read()\ndef move(position): return position.legal_moves[0]\n"
    page = check_page(hosting.submit(hosting.token("eve"), code.encode()))
    assert "2. loads FAILED" in " ".join(page.plain.split())
    assert "FileNotFoundError" in page.plain or "PermissionError" in page.plain


def zipped(**files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("DOT", "."), data)
    return made.getvalue()


REFUSALS = {
    "Bot.java": (b"class Bot {}", 422, "Bot.java: a bot is a Python file"),
    "up.zip": (
        zipped(**{"DOTDOT__botDOTpy": GOOD}),
        422,
        "'../bot.py' is not a path inside the bot's folder",
    ),
    "bomb.zip": (zipped(botDOTpy=GOOD, zeros=bytes(17 << 20)), 422, "has more than 16 MiB unpacked"),
    "large.py": (b"#" * (16 << 20) + b"#", 422, "has more than 16 MiB"),
    "larger.py": (b"#" * (18 << 20), 413, "That is too large: a bot has at most 16 MiB."),
    "": (b"", 422, "No file was chosen"),
}


@pytest.mark.parametrize("filename", REFUSALS)
def test_what_is_refused_says_why_to_the_student(hosting, filename):
    """In one sentence above the form; nothing of it is kept."""
    data, status, sentence = REFUSALS[filename]
    name = f"r{list(REFUSALS).index(filename)}"
    answer = hosting.submit(hosting.token(name), data, filename)
    assert answer.status == status
    assert sentence in check_page(answer).plain
    assert hosting.contest.book.uploads("cup", name) == []


def test_who_may_not_hand_in_is_told_so(hosting):
    """An organiser, somebody with the name of a bot of the file, and whoever sends the same again."""
    assert "organiser&#39;s token" in hosting.submit(hosting.token("boss", role="organiser")).text
    assert "is the name of a bot of the organiser" in hosting.submit(hosting.token("Greedy")).text
    token = hosting.token("cleo")
    assert hosting.submit(token).status == 200
    again = hosting.submit(token)
    assert (again.status, "This is what cleo has entered already" in again.text) == (409, True)
    hosting.contest.book.note_deed("cup", "teacher", WITHDRAW, "cleo", "plays for another class")
    withdrawn = hosting.submit(token, GOOD + b"# new").text
    assert "cleo was withdrawn by the organiser: plays for another class; ask there." in withdrawn
    hosting.contest.book.note_deed("cup", "teacher", READMIT, "cleo")


def test_without_a_sandbox_nothing_is_taken(tmp_path):
    """The page says so instead of the form, and so does whoever sends all the same."""
    with Hosting(tmp_path, is_checking=False) as hosting:
        hosting.contest.checks.why_not = "bots cannot be sandboxed here: seccomp is missing"
        assert "seccomp is missing" in hosting.ask("/runs/cup/submit", method="GET").text
        answer = hosting.submit(hosting.token("anna"))
        assert (answer.status, "seccomp is missing" in answer.text) == (503, True)
        assert hosting.contest.book.uploads("cup") == []


def test_a_full_disk_is_said_on_the_page_and_shows_no_path(tmp_path):
    """Nothing was received, and that is what the student reads."""
    with Hosting(tmp_path, is_checking=False) as hosting:
        token = hosting.token("anna")
        [[pages]] = hosting.contest.book._ask("PRAGMA page_count")
        hosting.contest.book._ask(f"PRAGMA max_page_count = {pages}")
        answer = hosting.submit(token, b"#" * 100_000)
        assert (answer.status, "the book: the disk is full" in answer.text) == (503, True)
        assert str(tmp_path) not in answer.text


SECRET = "kayles:line-7"


def test_an_author_sees_the_evidence_of_the_own_bot_alone(tmp_path):
    """Not what another bot printed, and nothing about secret variants."""
    bots = {"liar": f"print('mine')\n{LIAR}", "other": f"print('not yours')\n{LIAR}", "first": GOOD.decode()}
    secret = f'[field]\nsecret = ["{SECRET}"]\n'
    run = play(tmp_path, bots, variants=["snort:line-9"], openings=1, limits=secret)
    change(run, "DELETE FROM games WHERE rowid IN (SELECT rowid FROM games ORDER BY variant DESC LIMIT 1)")
    contest = Small(tmp_path, run.folder.name)
    with Hosting(tmp_path, is_checking=False, contest=contest) as hosting:
        token = hosting.token("liar")
        for name in ("liar", "other"):
            contest.receive(name, GOOD.decode())
            contest.book.note_verdict(contest.book.uploads("cup", name)[0].id, [], True)
        page = check_page(hosting.mine(token))
        assert "../cup/bots/liar" in [attrs.get("href") for _, attrs in page.seen]
        assert "mine" in re.findall(r"\w+", page.plain)
        assert "illegal on snort:line-9: 2 games" in page.plain
        assert "not yours" not in page.plain
        assert SECRET not in page.plain


def test_no_answer_and_no_address_has_a_token(hosting):
    """Neither what is shown nor where forms lead; and they are sent in a body alone."""
    token = hosting.token("dora")
    answers = [hosting.submit(token, b"x ="), hosting.mine(token), hosting.mine(f"{token}x")]
    assert [answer.status for answer in answers] == [200, 200, 403]
    assert all(token not in answer.text + str(answer.headers) for answer in answers)
    assert hosting.ask(f"/runs/cup/mine?token={token}", "", content_type=KIND).status == 400
    assert hosting.mine(token, content_type=KIND).status == 400


def test_a_connection_that_is_lost_while_sending_leaves_nothing(hosting):
    """Half a file is no upload, and the next one is taken."""
    token = hosting.token("fay")
    line = http.client.HTTPConnection("127.0.0.1", hosting.port)
    body = form(token, GOOD * 100, "bot.py")
    line.putrequest("POST", "/runs/cup/submit")
    line.putheader("content-type", KIND)
    line.putheader("content-length", str(len(body)))
    line.endheaders(body[:1000])
    line.close()
    answer = hosting.submit(token)
    while answer.status == 409:  # until the server has noticed
        answer = hosting.submit(token)
    assert answer.status == 200
    assert len(hosting.contest.book.uploads("cup", "fay")) == 1


@pytest.mark.long
def test_thirty_at_once_are_all_checked_in_order(tmp_path, monkeypatch):
    """The evening of the deadline: each is told all of its steps, and nothing is lost."""
    with Hosting(tmp_path) as hosting:
        hosting.contest.places = ["plays"]
        tokens = hosting.contest.book.make_tokens([f"s{number}" for number in range(30)])
        verdicts: list[int] = []
        note = hosting.contest.book.note_verdict

        def hear(upload_id, *verdict):
            note(upload_id, *verdict)
            verdicts.append(upload_id)

        monkeypatch.setattr(hosting.contest.book, "note_verdict", hear)
        with ThreadPoolExecutor(30) as pool:
            answers = list(pool.map(hosting.submit, tokens.values()))
        assert [answer.status for answer in answers] == [200] * 30
        assert all(answer.text.count('class="step good"') == 7 for answer in answers)
        assert len(verdicts) == 30
        assert verdicts == sorted(verdicts)
        assert {source.name for source in hosting.contest.book.entered("cup")} == set(tokens)
