"""A live page in a real browser: it moves while a run goes on, and leaves alone what its reader has chosen."""

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from tests.browser.looking import barriers, overflow, paper
from tests.tournament.field import CHANCE, FIRST, LAST, started, wait_for_games, write
from tests.tournament.small import play_games
from tests.web.server import PATIENCE, Server
from tests.web.test_live import BUSY

BOTS = {"busy": BUSY, "chance": CHANCE, "first": FIRST, "last": LAST}
VARIANTS = ["snort:line-9", "blockade-5x5"]
LOST = re.compile("ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED|EMPTY_RESPONSE|CONNECTION_RESET)|status of 404")
"""What a browser says of a server that has gone, and of a page that it does not have."""

WORDS = "table => [...table.tBodies[0].rows].map(row => row.cells[1].innerText.trim())"


@pytest.fixture
def live(visit):
    """Opens pages of servers, which may go before the pages do."""
    yield visit
    visit.close()
    visit.faults[:] = [fault for fault in visit.faults if not LOST.search(fault)]


@pytest.fixture
def going(program, tmp_path):
    """A server, and a run beside it that goes on for some seconds."""
    config = write(tmp_path, BOTS, variants=VARIANTS, openings=8, isolation="trusted")
    with Server(tmp_path) as server:
        options = ("--workers", "1", "--no-audit", "--no-report", "--quiet")
        playing = started("run", config, *options, cwd=tmp_path)
        try:
            wait_for_games(tmp_path / "results" / "cup", 1)
            yield SimpleNamespace(server=server, playing=playing, address=f"http://127.0.0.1:{server.port}/")
        finally:
            playing.kill()
            playing.communicate()


def test_the_table_moves_and_what_the_reader_has_chosen_stays(live, going):
    """The order, the variant, the place of the page, an open fold and the focus; from the list of runs to "done"."""
    list_of_runs = live(going.address)
    list_of_runs.get_by_role("link", name="cup").click()
    page = list_of_runs
    page.locator("#live").wait_for()
    page.locator("#standings select").select_option("snort:line-9")
    table = page.locator("#standings .view:not([hidden]) table")
    heading = table.locator("thead .who button")
    heading.click()
    page.get_by_text("How to repeat it").click()
    heading.focus()
    page.evaluate("document.querySelector('#standings').scrollIntoView()")
    top = page.evaluate("document.querySelector('#standings').getBoundingClientRect().top")
    games = table.evaluate("table => table.tBodies[0].innerText")
    is_over = "192, " in page.locator("header .facts").inner_text()  # on a busy machine we may come too late

    expect(page.locator("#live .pace")).to_have_text("done", timeout=PATIENCE * 1000)
    expect(page.locator("#live-status")).to_have_text("Done: all games have been played.")
    expect(page.locator("header .facts")).to_contain_text("192, ")
    expect(page.locator("#live .latest li")).to_have_count(5)
    assert is_over or table.evaluate("table => table.tBodies[0].innerText") != games
    assert table.evaluate(WORDS) == ["busy", "chance", "first", "last"]
    assert table.locator("th.who[aria-sort]").first.get_attribute("aria-sort") == "ascending"
    assert (
        page.locator("#standings select").evaluate("list => list.selectedOptions[0].text") == "snort:line-9"
    )
    assert page.locator("header details").get_attribute("open") is not None
    assert page.evaluate("document.activeElement.textContent") == "bot"
    assert abs(page.evaluate("document.querySelector('#standings').getBoundingClientRect().top") - top) < 2
    heading.click()
    assert table.evaluate(WORDS) == ["last", "first", "chance", "busy"]
    table.get_by_role("link", name="busy").click()
    assert page.locator("h1").inner_text() == "busy"

    page.go_back()
    page.get_by_text("Load them anew").click()
    page.locator("#live-older").wait_for(state="hidden")
    expect(page.locator("#games-status")).to_have_text("")


def test_a_page_finds_its_server_again_and_shows_the_present_state(live, tmp_path):
    """It says that the connection is lost, tries by itself, and has no more in it than before."""
    play_games(tmp_path, {"chance": CHANCE, "first": FIRST}, variants=["snort:line-9"], openings=2)
    with Server(tmp_path) as server:
        port = server.port
        page = live(f"http://127.0.0.1:{port}/runs/cup")
        expect(page.locator("#live .count")).to_contain_text("4 of 4")
        expect(page.locator("#live-status")).to_have_text("")
        server.stop()
    expect(page.locator("#live-status")).to_contain_text("is lost")
    size = page.evaluate("document.querySelectorAll('*').length")
    play_games(tmp_path, {"last": LAST}, variants=["snort:line-9"], openings=2)
    with Server(tmp_path, port=port):
        expect(page.locator("#live .count")).to_contain_text("12 of 12")
        expect(page.locator("#standings .view:not([hidden]) tbody")).to_contain_text("last")
        expect(page.locator("#live-status")).to_have_text("")
        assert page.locator("#live-older").is_visible()
        assert page.evaluate("document.querySelectorAll('*').length") < 2 * size
        page.locator("#standings").get_by_role("link", name="last").click()
        assert page.locator("h1").inner_text() == "last", (
            "it has no part in that page yet, but one of its own"
        )


@pytest.fixture(scope="module")
def shown(program, tmp_path_factory):
    """The address of a server that shows a run that is over."""
    folder = tmp_path_factory.mktemp("over")
    for text in (LAST, FIRST):
        play_games(folder, {"chance": CHANCE, "first": text}, variants=["snort:line-9"], openings=2)
    with Server(folder) as server:
        yield f"http://127.0.0.1:{server.port}/"


@pytest.mark.parametrize(
    ("width", "colours"), [(360, "dark"), pytest.param(1280, "light", marks=pytest.mark.long)]
)
def test_live_pages_hinder_nobody_and_fit_the_window(live, shown, axe, width, colours):
    """The list of runs, the page of one and that of a bot; axe-core finds nothing."""
    for path in ("", "runs/cup", "runs/cup/bots/first", "nothing"):
        page = live(f"{shown}{path}", width=width, colours=colours)
        if path == "runs/cup":
            page.locator("#live").wait_for()
        assert overflow(page) <= 0
        assert barriers(page, axe) == []


def test_the_chosen_colours_are_kept(live, shown):
    """On every page, by mouse on one; "auto" forgets them."""
    page = live(f"{shown}runs/cup")
    page.locator(".look").get_by_text("dark").click()
    for path in ("", "runs/cup", "runs/cup/bots/first", "runs/cup/play", "nothing"):
        page.goto(f"{shown}{path}")
        assert paper(page) < 60, path
        assert page.locator("#look-dark:checked").count() == page.locator(".look").count()
    page.goto(shown)
    page.locator(".look").get_by_text("auto").click()
    assert paper(page) > 200
    page.reload()
    assert paper(page) > 200
    expect(page.locator("#look-auto")).to_be_checked()


def test_a_bots_page_leads_to_its_games_on_the_board(live, shown):
    """From the standings to the bot, from one of its games into the replay of the run's page, and back."""
    page = live(f"{shown}runs/cup")
    page.locator("#standings").get_by_role("link", name="first").first.click()
    expect(page.locator("h1")).to_have_text("first")
    expect(page.locator("#versions tbody tr")).to_have_count(2)
    expect(page.locator("#versions circle.dot")).to_have_count(2)
    game = page.locator("#played tbody a").first
    name = game.inner_text()
    game.click()
    expect(page.locator("#viewer")).to_be_visible()
    assert page.url.partition("#")[2].startswith(f"game={name}")
    page.go_back()
    page.get_by_role("link", name="All of them, with filters").click()
    expect(page.locator("#game-list tbody tr").first).to_contain_text("first")
    expect(page.locator("#games-status")).to_have_text("")


def test_without_a_script_the_page_is_the_report(live, shown):
    """Nothing is there that would have to move."""
    page = live(f"{shown}runs/cup", has_script=False)
    assert page.locator("#live").is_hidden()
    assert page.locator("h1").is_visible()
    assert page.locator("#standings table").first.is_visible()


NEWS = """count => { for (let number = 0; number < count; number += 1) {
  putNews({ strip: `<p class="count">${number}</p>`, header: `<h1>${number}</h1>`, tables: { "/all games": html(number) } });
} }"""
HTML = """const html = (number) => {
  const table = document.querySelector("#standings table").cloneNode(true);
  table.tBodies[0].rows[0].cells[0].textContent = number;
  return table.outerHTML;
};"""


def test_a_page_that_was_left_open_overnight_is_as_small_as_before(live, shown):
    """After some thousand changes there are no more elements, and what they were is not kept."""
    page = live(f"{shown}runs/cup")
    page.locator("#live").wait_for()
    client = page.context.new_cdp_session(page)

    def weigh():
        client.send("HeapProfiler.collectGarbage")
        counters = client.send("Memory.getDOMCounters")
        return counters["nodes"], counters["jsEventListeners"]

    run = f"{HTML}({NEWS})"
    page.evaluate(f"() => {{ {run}(200) }}")
    before = weigh()
    page.evaluate(f"() => {{ {run}(3000) }}")
    after = weigh()
    assert after[0] <= before[0] * 1.1 + 100
    assert after[1] <= before[1] + 5
