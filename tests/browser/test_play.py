"""Playing and solving in a real browser: whole games by mouse, touch and keys alone, links, and a server that goes."""

import re
import signal
import socket
from itertools import count

import pytest
from playwright.sync_api import expect

import arena
from tests.browser.looking import barriers, overflow
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import LIAR, play_games
from tests.web.server import Server

BOOKS = ["blockade-4x4", "blockade-5x5", "grid-lock", "grid-block", "blockade-line"]
KITE = 'name = "kite"\nrule = "snort"\nboard.edges = [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [4, 5]]\n'
OWN = ["kayles:ring-7", "snort:hex-3x3", "kite", "col:torus-3x3", "snort:grid-3x3-rook"]
LOST = re.compile("ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET)|status of 404")
TURN = re.compile("^Your turn$|wins?$")
OPEN = '#play-board .cell[aria-disabled="false"]'


@pytest.fixture(scope="module")
def folder(program, tmp_path_factory):
    """A run on boards of many kinds."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "configs").mkdir()
    (folder / "configs" / "kite.toml").write_text(KITE)
    variants = [f"configs/{name}.toml" if name == "kite" else name for name in OWN]
    play_games(folder, {"first": FIRST, "chance": CHANCE, "liar": LIAR}, variants=variants, openings=1)
    return folder


@pytest.fixture(scope="module")
def table(folder):
    """A server of that run, which believes to be behind a proxy, so that readers can come from anywhere."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Server(folder, "--public-url", f"http://127.0.0.1:{port}/", port=port):
        yield f"http://127.0.0.1:{port}/runs/cup/"


PLAYED = "variant=blockade-4x4&second=chance&moves=0.2.8.10"
GRADE = re.compile("^(kept|thrown away|forced|lost anyway)$")

ADDRESSES = count(1)


def come_from_elsewhere(page):
    """Have an address of one's own from now on: from one not many games can be begun."""
    page.set_extra_http_headers({"x-forwarded-for": f"10.0.0.{next(ADDRESSES)}"})


def sit_down(page, variant, bot="first", player=1):
    """Choose and start; wait until it is one's turn, or all is over."""
    page.locator("#variant").select_option(label=variant)
    page.locator("#bot").select_option(bot)
    page.get_by_text(f"Player {player}").first.click()
    page.get_by_role("button", name="Start").click()
    wait_for_turn(page)


def wait_for_turn(page):
    expect(page.locator("#head")).to_have_text(TURN)
    expect(page.locator("#play-board .busy")).to_have_count(0)


def play_on(page, claim=lambda cell: cell.click()):
    """Claim open cells until the game is over; return what is said then."""
    while page.locator("#after").is_hidden():
        claim(page.locator(OPEN).first)
        wait_for_turn(page)
    return page.locator("#said").inner_text()


@pytest.mark.long
def test_a_line_fits_on_a_phone(visit, table):
    """All its cells are seen at once, each large enough for a finger; a wide window has them in one row."""
    page = visit(f"{table}play", width=390)
    page.locator("#variant").select_option(label="blockade-line")
    sideways = "document.querySelector('#play-board').scrollWidth - document.querySelector('#play-board').clientWidth"
    boxes = [cell.bounding_box() for cell in page.locator("#play-board .cell .body").all()]
    assert (overflow(page), page.evaluate(sideways)) == (0, 0)
    assert len(boxes) == 13
    assert min(min(box["width"], box["height"]) for box in boxes) > 30
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#play-board svg")).to_have_attribute("height", "72")


@pytest.mark.parametrize(
    "variants",
    [
        pytest.param((BOOKS[0], OWN[2]), id="some"),
        pytest.param(BOOKS + OWN[:3], id="all", marks=pytest.mark.long),
    ],
)
def test_whole_games_are_played_on_every_rule_book_and_kind_of_board(visit, table, variants):
    """By mouse, in one page; the end is said in the book's words, and the page is as it was for the next game."""
    page = visit(f"{table}play")
    for number, variant in enumerate(variants):
        if number % 4 == 0:
            come_from_elsewhere(page)
        sit_down(page, variant, player=1 + number % 2)
        assert page.locator("#play-board .cell").count() == arena.variant(variant_of(variant)).board.size
        said = play_on(page)
        assert re.search(r"wins(?: the game)?!", said), said
        assert page.locator("#head").inner_text() in ("You win", "first wins")
        assert page.locator("#play-board .claimed").count() >= 2
        page.locator("#another").click()
        expect(page.locator("#play-board .claimed")).to_have_count(0)


def variant_of(name):
    return name if name != "kite" else "col:line-6"  # as many cells


def test_a_game_by_keys_alone_and_its_link_opened_by_somebody_else(visit, table):
    """Tab, arrows and Enter are enough, one sees where one is; the address afterwards is the game, to step through."""
    page = visit(f"{table}play")
    come_from_elsewhere(page)
    page.locator("#table").wait_for()
    press = page.keyboard.press
    for _ in range(40):
        if page.evaluate("document.activeElement.id") == "begin":
            break
        press("Tab")
    press("Enter")
    wait_for_turn(page)
    assert page.evaluate("document.activeElement.matches('#play-board .cell:focus-visible')")
    assert page.evaluate("getComputedStyle(document.activeElement.querySelector('.last')).display") != "none"
    for _ in range(60):
        if page.locator("#after").is_visible():
            break
        if page.evaluate("document.activeElement.getAttribute('aria-disabled')") == "false":
            press("Enter")
            wait_for_turn(page)
        else:
            press("PageDown")
    before = page.evaluate("document.activeElement.querySelector('title').textContent")
    press("ArrowLeft")
    press("ArrowUp")
    assert page.evaluate("document.activeElement.querySelector('title').textContent") != before
    moves = page.url.partition("moves=")[2].split(".")
    assert "second=chance" in page.url

    other = visit(page.url)
    expect(other.locator("#game-title")).to_have_text("Player 1 (X) against chance (O)")
    expect(other.locator("#moves li")).to_have_count(len(moves))
    expect(other.locator("#moves .mark-word").last).not_to_have_text("unknown")
    other.locator("#viewer").focus()
    other.keyboard.press("ArrowRight")
    expect(other.locator("#board .claimed")).to_have_count(1)
    other.keyboard.press("End")
    expect(other.locator("#board .claimed")).to_have_count(len(moves))
    assert f"ply={len(moves)}" in other.url
    other.locator("#copy").click()
    expect(other.locator("#games-status")).to_have_text("The game is copied as text.")
    other.locator("#replay-new").click()
    expect(other.locator("#setup")).to_be_visible()

    for odd in (
        "variant=none&moves=",
        "variant=grid-lock&moves=5.5",
        "variant=grid-lock&moves=99",
        "variant=grid-lock&moves=x",
    ):
        other.goto(f"{table}play#{odd}")
        expect(other.locator("#games-status")).to_have_text(re.compile("There is no variant|cannot be made"))
        assert other.locator("#replay").is_hidden()


def test_on_a_phone_in_the_dark_and_hindering_nobody(visit, table, axe):
    """Every state of the page fits and is clean; refusals, forfeits and winning moves are said."""
    page = visit(f"{table}play", width=360, colours="dark")
    come_from_elsewhere(page)
    page.locator("#table").wait_for()
    assert (overflow(page), barriers(page, axe)) == (0, [])
    sit_down(page, "blockade-5x5", "liar")
    page.get_by_role("button", name="(3,3): open to both").click()
    wait_for_turn(page)
    page.locator("#play-board .cell").nth(12).click(force=True)
    expect(page.locator("#refusal")).to_contain_text("The cell (3,3) is not empty.")
    known = arena.solve(arena.variant("blockade-5x5").replay([12, 24]))
    page.get_by_role("button", name="Winning moves").click()
    expect(page.locator("#hint-said")).to_contain_text("wins with perfect play")
    assert page.locator("#play-board .winning").count() == len(known.winning_moves)
    assert (overflow(page), barriers(page, axe)) == (0, [])
    play_on(page)
    expect(page.locator("#said")).to_contain_text("liar (O) forfeits: illegal, ply")
    expect(page.locator("#head")).to_have_text("You win")
    assert (overflow(page), barriers(page, axe)) == (0, [])
    page.get_by_role("button", name="Step through the game").click()
    expect(page.locator("#game-facts")).to_contain_text("liar forfeits by illegal; Player 1 wins.")
    assert (overflow(page), barriers(page, axe)) == (0, [])


def test_a_position_is_set_up_solved_and_sent_as_a_link(visit, table, axe):
    """For both players in turn, one move back, and who wins; the address is the position."""
    page = visit(f"{table}solve")
    page.locator("#variant").select_option(label="grid-lock")
    cells = page.locator("#play-board .cell")
    for cell in (5, 3, 15):
        cells.nth(cell).click()
    expect(page.locator("#head")).to_have_text("O is to move")
    cells.nth(5).click(force=True)
    expect(page.locator("#refusal")).to_have_text("6 is not open to O.")
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Who wins?").click()
    known = arena.solve(arena.variant("grid-lock").replay([5, 3]))
    expect(page.locator("#hint-said")).to_contain_text("wins with perfect play")
    assert page.locator("#play-board .winning").count() == len(known.winning_moves)
    assert barriers(page, axe) == []
    other = visit(page.url)
    expect(other.locator("#play-board .claimed")).to_have_count(2)
    expect(other.locator("#head")).to_have_text("X is to move")
    assert other.locator("#begin").is_hidden()


def test_a_game_goes_on_after_the_server_was_killed(visit, folder):
    """The page says that it does not answer; when it is there again, the moves so far are a new game's opening."""
    with Server(folder) as server:
        port = server.port
        page = visit(f"http://127.0.0.1:{port}/runs/cup/play")
        sit_down(page, "grid-lock")
        page.locator("#play-board .cell").nth(5).click()
        wait_for_turn(page)
        server.stop(signal.SIGKILL)
    page.locator(OPEN).first.click()
    expect(page.locator("#lost")).to_contain_text("The server does not answer.")
    expect(page.locator("#lost")).to_contain_text("remembers nothing")
    page.locator("#go-further").click()
    expect(page.locator("#lost")).to_be_visible()
    with Server(folder, port=port):
        page.locator("#go-further").click()
        wait_for_turn(page)
        expect(page.locator("#play-board .claimed")).to_have_count(4)
        play_on(page)
        assert "moves=5.3" in page.url
        visit.close()
    visit.faults[:] = [fault for fault in visit.faults if not LOST.search(fault)]


def hold_back(page, path):
    """Let the next question to a path wait; return the list in which it will be."""
    held = []

    def hold(route):
        held.append(route)

    page.route(f"**/{path}", hold, times=1)
    return held


def ask_for_another(page):
    page.get_by_role("button", name="New game").locator("visible=true").click()
    expect(page.locator("#setup")).to_be_visible()
    expect(page.locator("#play-board .claimed")).to_have_count(0)


def test_the_page_says_what_can_be_done_now(visit, table):
    """Before the start to press Start, in the game to choose a cell, afterwards nothing of both."""
    page = visit(f"{table}play")
    come_from_elsewhere(page)
    to_start, to_move = (
        page.get_by_text("Choose, then press Start."),
        page.get_by_text("Click or tap a cell."),
    )
    expect(to_start).to_be_visible()
    expect(to_move).to_be_hidden()
    sit_down(page, "blockade-4x4")
    expect(to_start).to_be_hidden()
    expect(to_move).to_be_visible()
    play_on(page)
    expect(to_move).to_be_hidden()
    page.goto(f"{table}solve")
    expect(to_start).to_be_hidden()
    expect(page.get_by_text("Set up a position: click or tap cells")).to_be_visible()


@pytest.mark.parametrize(("variant", "is_said"), [("kayles:ring-7", False), ("snort:hex-3x3", True)])
def test_small_stones_are_explained_where_there_are_any(visit, table, variant, is_said):
    """Where every closed cell is closed to both, no cell is open to one player alone."""
    page = visit(f"{table}play")
    page.locator("#variant").select_option(label=variant)
    expect(page.locator("#rules-title")).to_be_visible()
    expect(page.get_by_text("A cell with a small stone")).to_be_visible(visible=is_said)


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_game_that_is_being_solved_is_not_called_unsolvable(visit, table, is_refused):
    """Its moves are being worked out until the server answers; only then are they graded, or unknown."""
    page = visit(f"{table}play")
    come_from_elsewhere(page)
    page.locator("#table").wait_for()
    held = hold_back(page, "solve/game")
    page.goto(f"{table}play#{PLAYED}")
    expect(page.locator("#moves li").first).to_contain_text("…")
    expect(page.locator(".legend")).to_contain_text("is being worked out …")
    page.locator("#go-end").click()
    expect(page.locator("#sentence")).to_contain_text("is being worked out")
    expect(page.locator("#viewer")).not_to_contain_text("unknown", use_inner_text=True)
    if is_refused:
        held[0].fulfill(status=503, json={"refused": "Not now."})
    else:
        held[0].continue_()
    expect(page.locator("#moves .mark-word").first).to_have_text("unknown" if is_refused else GRADE)
    expect(page.locator("#viewer")).not_to_contain_text("worked out", use_inner_text=True)
    expect(page.locator(".legend")).to_contain_text("not solved here")
    visit.close()
    visit.faults[:] = [fault for fault in visit.faults if "status of 503" not in fault]


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_game_can_be_left_while_the_bot_thinks(visit, table, is_answered):
    """Whatever the server says of it later, as an answer or that it has ended, belongs to no game of the page."""
    page = visit(f"{table}play")
    come_from_elsewhere(page)
    sit_down(page, "grid-lock")
    held = hold_back(page, "play/move")
    page.locator(OPEN).first.click()
    expect(page.locator("#head")).to_have_text("first is thinking …")
    answer = held[0].fetch() if is_answered else None
    with page.expect_request_finished(lambda request: request.url.endswith("play/leave")):
        ask_for_another(page)
    with page.expect_response("**/play/move") as late:
        held[0].fulfill(response=answer) if answer else held[0].continue_()
    assert late.value.status == (200 if is_answered else 410)
    sit_down(page, "blockade-4x4", player=2)
    expect(page.locator("#play-board .claimed")).to_have_count(1)
    visit.close()
    visit.faults[:] = [fault for fault in visit.faults if "status of 410" not in fault]


def test_a_game_can_be_left_before_the_bot_sits(visit, table):
    """Another one can be begun at once; the one that comes late is not shown, and its place on the server is free."""
    page = visit(f"{table}play")
    come_from_elsewhere(page)
    held = hold_back(page, "play/begin")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#head")).to_have_text("chance sits down …")
    answer = held[0].fetch()
    ask_for_another(page)
    sit_down(page, "grid-lock")
    with page.expect_request_finished(lambda request: request.url.endswith("play/leave")):
        held[0].fulfill(response=answer)
    left = answer.json()["game"]
    move = page.request.post(f"{table}play/move", data={"game": left, "ply": 0, "cell": 0})
    assert (move.status, move.json()["refused"]) == (410, "This game has ended.")
    page.locator(OPEN).first.click()
    wait_for_turn(page)
    expect(page.locator("#play-board .claimed")).to_have_count(2)


def test_the_page_of_a_run_leads_to_the_board(visit, table):
    """And from there back."""
    page = visit(table.rstrip("/"))
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Play against a bot")).to_be_visible()
    page.get_by_role("link", name="cup").click()
    expect(page.locator("#standings")).to_be_visible()
