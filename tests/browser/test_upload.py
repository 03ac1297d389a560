"""A bot is handed in by a real browser: by keyboard alone, without a script, and with the sentences a student sees."""

import re
from contextlib import closing

import pytest
from playwright.sync_api import expect

from arena.contest.book import Book
from arena.pages.evidence import Forfeit, Kind
from arena.pages.uploads import Mine, make_mine
from tests.browser.looking import barriers, overflow, unfold
from tests.web.contests import make_contest
from tests.web.hosting import GOOD, Hosting
from tests.web.server import Server
from tests.web.test_uploading import REFUSALS

REFUSED = re.compile(r"status of 4\d\d|status of 503")
"""What a browser says of a page that is a refusal."""

BAD = b"print('<b>' + 'x' * 300)\ndef move(position):\n    return position.legal_moves[0] / 0\n"


@pytest.fixture(scope="module")
def hosting(program, tmp_path_factory):
    """A server that takes and checks bots."""
    with Hosting(tmp_path_factory.mktemp("contest")) as started:
        yield started


@pytest.fixture
def open_form(visit, hosting):
    """Opens the form; refusals are answers that browsers complain of."""
    yield lambda **options: visit(f"http://127.0.0.1:{hosting.port}/runs/cup/submit", **options)
    visit.close()
    visit.faults[:] = [fault for fault in visit.faults if not REFUSED.search(fault)]


def hand_in(page, token, file):
    page.locator("#submit-token").fill(token)
    page.locator("#submit-file").set_input_files(file)
    page.get_by_role("button", name="Hand it in").click()


def bot(name, data=GOOD):
    return {"name": name, "mimeType": "text/x-python", "buffer": data}


@pytest.mark.parametrize(
    ("width", "colours"), [(360, "dark"), pytest.param(1280, "light", marks=pytest.mark.long)]
)
def test_a_bot_goes_from_its_file_to_its_place(open_form, hosting, width, colours):
    """Without a script, on a phone and on a desktop; no page is wider than its window."""
    hosting.contest.places = ["waits for its games", "is 1st of 2, and was 2nd"]
    token = hosting.token(f"anna{width}")
    page = open_form(width=width, colours=colours, has_script=False)
    assert overflow(page) <= 0
    hand_in(page, token, bot("anna.py"))
    steps = page.locator(".steps > li")
    expect(steps.filter(has_text="1st of 2")).to_have_count(1)
    assert page.locator(".step.good").count() == 7
    page.wait_for_load_state()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"anna{width}: passed")
    assert page.locator(".happening:visible").count() == 2, (
        "the verdict and the place, and nothing that is over"
    )
    assert overflow(page) <= 0
    page.get_by_role("link", name="My bot").click()
    page.locator("#mine-token").fill(token)
    page.keyboard.press("Enter")
    expect(page.locator("summary").first).to_contain_text("plays")
    assert overflow(page) <= 0


def test_no_page_has_barriers(open_form, hosting, axe):
    """The form, a refusal, what happens to a bot that fails, and its author's page."""
    token = hosting.token("ben")
    page = open_form(width=360, colours="dark")
    assert barriers(page, axe) == []
    hand_in(page, "wrong", bot("ben.py"))
    expect(page.get_by_role("alert")).to_have_text(
        "This token is not good here. Ask the organiser for yours."
    )
    assert barriers(page, axe) == []
    hand_in(page, token, bot("ben.py", BAD))
    expect(page.locator(".happening.bad")).to_contain_text("nothing has changed in the tournament")
    page.wait_for_load_state()
    expect(page.get_by_role("heading", level=1)).to_have_text("ben: FAILED")
    expect(page.get_by_role("link", name="Hand in again")).to_be_visible()
    assert overflow(page) <= 0
    assert barriers(page, axe) == []
    page.get_by_role("link", name="My bot").click()
    page.locator("#mine-token").fill(token)
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("summary").first).to_contain_text("failed")
    assert barriers(page, axe) == []


def test_the_keyboard_is_enough(open_form, hosting):
    """From the first field to the sentence, in the order in which they stand there."""
    page = open_form()
    seen = []
    for _ in range(6):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.innerText"))
    assert seen == ["cup", "submit-token", "submit-file", "Hand it in", "mine-token", "Show it"]
    page.locator("#mine-token").focus()
    page.keyboard.type(hosting.token("cleo"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("cleo")


LOST = "The connection was lost before the end: My bot shows what became of it."
BE_SILENT = "() => document.getAnimations().forEach((each) => each.finish())"
"""Does what many seconds without a word from the server do."""


def test_a_page_that_is_cut_off_says_so(visit, tmp_path):
    """Not while it is being sent, nor when it has come to its end; and no longer if the server is heard again."""
    make_contest(tmp_path, own=())
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml") as server:
        page = visit(f"http://127.0.0.1:{server.port}/runs/cup/submit", has_script=False)
        token = book.make_token("anna")
        page.locator("#submit-token").fill(token)
        page.locator("#submit-file").set_input_files(bot("anna.py", b"while True: pass\n"))
        page.get_by_role("button", name="Hand it in").click(no_wait_after=True)
        expect(page.get_by_text("is being checked: 2. loads …")).to_be_visible()
        lost = page.locator(".beat:visible", has_text=LOST)
        expect(lost).to_have_count(0)
        server.process.kill()
        server.process.wait()
        page.evaluate(BE_SILENT)
        expect(lost).to_have_count(1)
        assert overflow(page) <= 0
        visit.close()
    visit.faults.clear()  # the browser says that it was cut off, too


def test_a_page_that_is_being_sent_is_not_called_lost(visit, tmp_path, monkeypatch):
    """Each heartbeat takes back what a silence has said, and the end does for good."""
    monkeypatch.setattr("arena.web.telling.HEARTBEAT_SECONDS", 0.3)
    with Hosting(tmp_path, is_checking=False) as hosting:
        page = visit(f"http://127.0.0.1:{hosting.port}/runs/cup/submit", has_script=False)
        hand_in(page, hosting.token("anna"), bot("anna.py"))
        lost = page.locator(".beat:visible", has_text=LOST)
        for _ in range(3):
            page.evaluate(BE_SILENT)
            expect(lost).to_have_count(0)
        hosting.contest.checks.start()
        expect(page.get_by_text("1st of 2")).to_be_visible()
        page.wait_for_load_state()
        page.evaluate(BE_SILENT)
        expect(lost).to_have_count(0)


def test_a_student_sees_why_a_file_is_not_taken(open_form, hosting, tmp_path):
    """The sentence, above the form, in which the file can be chosen anew."""
    page = open_form()
    token = hosting.token("dora")
    for filename, (data, _, sentence) in REFUSALS.items():
        if filename:
            (tmp_path / filename).write_bytes(data)
            hand_in(page, token, tmp_path / filename)
            expect(page.get_by_role("alert")).to_contain_text(sentence)
            expect(page.locator("#submit-file")).to_be_visible()


def test_an_author_reads_of_forfeits_on_a_phone(visit, tmp_path):
    """Names, sentences and what was printed may be as long as they get: the page is no wider than its window."""
    shown = [Forfeit("0" * 16, "b" * 60, "x" * 80, f"#game={'0' * 16}", "y" * 300)]
    kinds = [Kind("0" * 12, "v" * 60, "garbage", 1, shown)]
    (tmp_path / "mine.html").write_text(make_mine("cup", Mine("anna", "", [], kinds)))
    page = visit(tmp_path / "mine.html", width=360, colours="dark")
    unfold(page)
    assert overflow(page) <= 0
