"""The games of a page in a real browser: choose some, open one, and step through it."""

import pytest
from playwright.sync_api import expect

import arena
from tests.browser.looking import overflow
from tests.browser.samples import NASTY_DETAIL, NASTY_NAMES

WITHOUT_STREAMS = "delete globalThis.DecompressionStream"


@pytest.fixture(scope="module")
def games(sample):
    """The games of the sample, and the ply at which each was thrown away."""
    return sample.games(is_graded=True)


@pytest.fixture(scope="module")
def blunder(games):
    """A game that was thrown away by a move, after some that were not."""
    late = games[(games["thrown_away"] > games["opening_plies"] + 1) & (games["ending"] == "no-moves")]
    return late.iloc[0]


def listed(page):
    """How many games the list says that it has."""
    expect(page.locator("#page-said")).not_to_be_empty()
    return int(page.locator("#page-said").inner_text().split(" of ")[-1])


def stones(page):
    """The cells of the board that somebody has claimed: how many of each side."""
    return tuple(page.locator(f"#board .claimed.{side}").count() for side in ("first", "second"))


@pytest.mark.long
def test_games_are_chosen_by_bot_variant_result_and_kind(visit, report, games):
    """The list has as many as the log; and the address says what was chosen, for whoever gets it by mail."""
    page = visit(f"{report}#bot=liar")
    of_liar = games[(games["first"] == "liar") | (games["second"] == "liar")]
    assert listed(page) == len(of_liar)
    page.locator("#filter-kind").select_option("forfeits")
    forfeits = of_liar[(of_liar["ending"] != "no-moves") & (of_liar["winner"] != "liar")]
    assert listed(page) == len(forfeits) > 0
    page.locator("#filter-kind").select_option("")
    page.locator("#filter-result").select_option("won")
    page.locator("#filter-variant").select_option("snort:hex-3x3")
    won = of_liar[(of_liar["winner"] == "liar") & (of_liar["variant"] == "snort:hex-3x3")]
    assert listed(page) == len(won) > 0
    assert page.url.endswith("#bot=liar&variant=snort%3Ahex-3x3&result=won")


def test_a_cell_of_the_heat_map_opens_its_pairing(visit, report, games):
    """All games of these two bots, and the keyboard goes on from there."""
    page = visit(report)
    cell = page.locator(".heat td[title^='greedy against liar']")
    cell.get_by_role("link").click()
    both = games[games[["first", "second"]].isin(["greedy", "liar"]).all(axis=1)]
    expect(page.locator("#filter-against")).to_have_value("liar")
    assert listed(page) == len(both) > 0
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#game-list') !== null")


def test_a_game_is_stepped_by_keyboard_to_its_blunder(visit, report, blunder):
    """From the list, with no mouse: arrow keys, and the key for the next blunder; what would have won is shown."""
    page = visit(f"{report}#bot={blunder['first']}&against={blunder['second']}")
    page.locator(f"#game-list a[href='#game={blunder['game']}']").press("Enter")
    slider, ply = page.locator("#ply"), blunder["opening_plies"]
    expect(slider).to_have_value(str(ply))
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(str(ply + 1))
    assert sum(stones(page)) == ply + 1
    page.keyboard.press("n")
    thrown = int(blunder["thrown_away"])
    expect(slider).to_have_value(str(thrown))
    expect(page.locator("#sentence")).to_contain_text("throws the win away")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("w")
    moves = [int(cell) for cell in blunder["moves"].split()]
    variant = arena.variant(blunder["variant"])
    known = arena.solve(variant.replay(moves[: thrown - 1])).winning_moves
    expect(page.locator("#board .cell.winning")).to_have_count(len(known))
    page.keyboard.press("End")
    expect(slider).to_have_value(str(len(moves)))
    assert stones(page) == (len(moves[::2]), len(moves[1::2]))
    expect(page.locator("#sentence")).to_contain_text(f"{blunder['winner']} wins.")
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    assert stones(page) == (0, 0)


def test_a_mailed_link_opens_at_its_ply(visit, report, blunder):
    """The address follows every step, and leads somebody else to the same ply."""
    link = f"game={blunder['game']}&ply={int(blunder['thrown_away'])}"
    page = visit(f"{report}#{link}")
    expect(page.locator("#sentence")).to_contain_text("throws the win away")
    expect(page.locator("#viewer")).to_be_in_viewport()
    page.locator("#go-back").click()
    there = page.url.partition("#")[2]
    assert there != link
    again = visit(f"{report}#{there}")
    expect(again.locator("#sentence")).to_have_text(page.locator("#sentence").inner_text())


@pytest.mark.parametrize(
    "link", ["game=nobody", "game=%3Cimg%20src=x%3E&ply=-1", "bot=nobody", "what=is&this"]
)
@pytest.mark.long
def test_a_link_that_leads_nowhere_says_so(visit, report, link):
    """In words that are in sight, and the page goes on."""
    page = visit(f"{report}#{link}")
    expect(page.locator("#games-status")).not_to_be_empty()
    expect(page.locator("#games-status")).to_be_in_viewport()
    assert page.locator("#games-status *").count() == 0
    assert listed(page) > 0


def test_a_game_plays_by_itself_and_stops_at_its_end(visit, report, blunder):
    """By mouse: play, with a speed; then the button offers it again."""
    page = visit(f"{report}#game={blunder['game']}")
    page.locator("#speed").select_option("5")
    page.get_by_role("button", name="play", exact=True).click()
    page.get_by_role("button", name="pause").wait_for()
    expect(page.locator("#ply")).to_have_value(str(blunder["plies"]))
    page.get_by_role("button", name="play", exact=True).wait_for()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.get_by_role("button", name="copy as text").click()
    expect(page.locator("#games-status")).to_have_text("The game is copied as text.")
    assert page.evaluate("copied").splitlines()[-1].startswith("report.html#game=")
    expect(page.locator("#games-status")).to_be_in_viewport()
    page.keyboard.press("Home")
    expect(page.locator("#games-status")).to_be_empty()


def test_the_space_bar_plays_and_does_not_scroll(visit, report, blunder):
    """As in every player: it pauses too, and the board stays in sight."""
    page = visit(f"{report}#game={blunder['game']}")
    page.locator("#viewer").focus()
    for button in ("pause", "play"):
        page.keyboard.press("Space")
        page.get_by_role("button", name=button, exact=True).wait_for()
        expect(page.locator("#board")).to_be_in_viewport()


def test_a_link_can_be_followed_twice(visit, report, blunder):
    """Whoever has gone elsewhere in the page comes back to the game, though the address does not change."""
    page = visit(f"{report}#game={blunder['game']}")
    thrown = page.locator("#game-list [aria-current] a").last
    for _ in range(2):
        page.evaluate("scrollTo(0, 0)")
        thrown.evaluate("link => link.click()")
        expect(page.locator("#board")).to_be_in_viewport()


def test_games_are_unpacked_where_the_browser_does_not_help(visit, report, blunder):
    """The same game without `DecompressionStream`, which older browsers lack."""
    link = f"{report}#game={blunder['game']}&ply=2"
    told = [visit(link, before=before).locator("#moves") for before in ("", WITHOUT_STREAMS)]
    expect(told[0]).not_to_be_empty()
    expect(told[1]).to_have_text(told[0].inner_text(), use_inner_text=True)


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_strangers_text_is_text_in_the_viewer_too(visit, hostile, games, width):
    """Names in the list, the title and the moves; the detail of a forfeit in its sentence."""
    lost = games[(games["ending"] != "no-moves") & (games["winner"] == "greedy")].iloc[0]
    page = visit(f"{hostile}#game={lost['game']}&ply={lost['plies'] + 1}", width=width)
    expect(page.locator("#game-title")).to_contain_text(NASTY_NAMES["greedy"])
    expect(page.locator("#sentence")).to_contain_text(NASTY_DETAIL[:40])
    assert page.locator("#viewer").locator("script, img, style").count() == 0
    assert overflow(page) <= 0


def test_without_javascript_the_games_say_what_is_missing(visit, report):
    """And offer nothing that would not work."""
    page = visit(report, has_script=False)
    assert page.locator("#games noscript p").is_visible()
    assert page.locator("#games").locator("button, select, input").filter(visible=True).count() == 0
