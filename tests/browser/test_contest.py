"""A contest in a real browser: the strip says what goes on, and the organiser's forms work without a script."""

from contextlib import closing

import pytest
from playwright.sync_api import expect

from arena.contest.book import Book
from arena.contest.words import ALL_PLAYED, ONE_BOT, PAUSED
from tests.browser.looking import barriers, overflow
from tests.web.contests import bot, hand_in, make_contest, wait_until_played
from tests.web.server import PATIENCE, Server


@pytest.fixture(scope="module")
def contest(program, tmp_path_factory):
    """The address of a contest with two bots that have played, and its organiser's token."""
    folder = tmp_path_factory.mktemp("contest")
    make_contest(folder)
    book = Book(folder)
    token = book.make_token("teacher", "organiser")
    with Server(folder, "cup.toml") as server:
        hand_in(book, bot("anna"))
        wait_until_played(folder / "results" / "cup", ["first", "anna"])
        yield f"http://127.0.0.1:{server.port}/runs/cup", token


@pytest.mark.parametrize("width", [1280, pytest.param(360, marks=pytest.mark.long)])
def test_the_organiser_pauses_and_resumes_and_readers_see_it(contest, visit, width):
    """From the page of the run, with a token in a form, without a script; the strip says so by itself."""
    address, token = contest
    reader = visit(address, width=width)
    expect(reader.locator("#live .hosted")).to_contain_text(ALL_PLAYED, timeout=PATIENCE * 1000)
    page = visit(address, width=width, has_script=False)
    page.get_by_role("link", name="Organise").click()
    page.get_by_label("The organiser's token").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This is not the token of an organiser, or it was revoked."
    )
    page.get_by_label("The organiser's token").fill(token)
    page.get_by_role("button", name="Open").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_have_text("Paused.")
    expect(reader.locator("#live .hosted")).to_contain_text(PAUSED)
    assert token not in page.url
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("status")).to_have_text("Resumed.")
    expect(reader.locator("#live .hosted")).to_contain_text(ALL_PLAYED)
    assert overflow(page) == 0
    visit.faults[:] = [fault for fault in visit.faults if "403" not in fault]


def test_everybody_finds_where_bots_are_handed_in(contest, visit):
    """On a phone all pages of the server are in the bar at once; other pages of a contest lead there too."""
    address, _ = contest
    page = visit(address, width=360)
    for name in ("All runs", "Play", "Hand in a bot", "My bot", "Organise"):
        expect(page.get_by_role("navigation").get_by_role("link", name=name, exact=True)).to_be_in_viewport(
            ratio=1
        )
    assert overflow(page) == 0
    for place in ("", "/play", "/solve"):
        page.goto(f"{address}{place}")
        link = page.get_by_role("link", name="Hand in a bot").first
        expect(link).to_be_in_viewport(ratio=1)
        assert link.evaluate("link => link.href") == f"{address}/submit"
    page.goto(address)
    expect(page.locator("#live .hosted a")).to_have_attribute("href", "cup/submit")
    page.goto(address.removesuffix("runs/cup"))
    page.get_by_role("link", name="Hand in a bot").click()
    assert page.url == f"{address}/submit"


LARGER = "document.documentElement.style.fontSize = '200%'"


def test_an_organiser_on_a_phone_sees_all_that_can_be_done(contest, visit):
    """Buttons are in the window, and nothing is wider than it, with letters of twice their size too."""
    address, token = contest
    page = visit(f"{address}/organise", width=360)
    page.evaluate(LARGER)
    assert overflow(page) == 0
    page.get_by_label("The organiser's token").fill(token)
    page.get_by_role("button", name="Open").click()
    withdraw = page.get_by_role("button", name="Withdraw")
    withdraw.scroll_into_view_if_needed()
    box = withdraw.bounding_box()
    assert box["x"] + box["width"] <= 360
    page.evaluate(LARGER)
    assert overflow(page) == 0
    assert page.get_by_label("Yes, close it and show everything").is_visible()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_hinders_an_organiser(contest, visit, axe, colours):
    """axe-core finds nothing."""
    address, token = contest
    page = visit(f"{address}/organise", colours=colours)
    assert barriers(page, axe) == []
    page.get_by_label("The organiser's token").fill(token)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert barriers(page, axe) == []


@pytest.mark.parametrize("has_script", [True, False])
def test_the_page_of_a_contest_that_has_not_begun_changes_by_itself(visit, tmp_path, has_script):
    """Nobody needs to load it anew, with a script or without."""
    make_contest(tmp_path, own=())
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml") as server:
        page = visit(f"http://127.0.0.1:{server.port}/runs/cup", has_script=has_script)
        hand_in(book, bot("anna"))
        expect(page.get_by_text(ONE_BOT)).to_be_visible(timeout=PATIENCE * 1000)
        hand_in(book, bot("bert", 1))
        table = page.get_by_role("heading", name="Standings", exact=True)
        expect(table).to_be_visible(timeout=PATIENCE * 1000)
        page.close()
