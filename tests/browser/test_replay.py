"""The replay in a real browser: what it shows is what the log and the solver say, by keys, by mouse and by links."""

import json
import re
import zlib
from base64 import b64encode

import pytest

from arena.log.archive import kept_variant
from arena.pages.report import write_report
from arena.results.games import Choice, choose_games
from arena.solver.grades import Grader
from tests.cli.command import inside
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import logged, play

FAMILIES = ["blockade-5x5", "grid-block", "blockade-line", "col:ring-7", "kayles:grid-3x4-rook"]
FAMILIES += ["snort:torus-3x4", "col:hex-3x4", "petersen.toml"]
PETERSEN = [(n, (n + 1) % 5) for n in range(5)] + [(n, n + 5) for n in range(5)]
PETERSEN += [(5 + n, 5 + (n + 2) % 5) for n in range(5)]

BYTES = "Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0))"
READ_DATA = "JSON.parse(await unpackText(byId('packed-games').content.textContent))"
TELL_ALL = f"""async () => {{
  const data = {READ_DATA};
  return data.games.game.map((id, number) => {{
    const game = makeGame(data, number);
    const plies = [...Array(game.lastPly + 1).keys()];
    return {{ id, text: writeGame(game), lastPly: game.lastPly,
      winners: plies.map((ply) => winnerAfter(game, ply)),
      grades: plies.slice(1).map((ply) => gradeOf(game, ply)),
      winning: plies.map((ply) => winningMoves(game, ply)),
      open: plies.map((ply) => openCells(game.variant, game.cells.slice(0, ply)).map((side) => [...side])) }};
  }});
}}"""

LOOK_OF_LETTERS = """all => all.map((one) => {
  const { fontSize, fontWeight } = getComputedStyle(one);
  return [fontSize, `${one.getAttribute("font-size")}px`, fontWeight];
})"""
STROKES = "all => [...new Set(all.map((one) => getComputedStyle(one).strokeWidth))]"


@pytest.fixture(scope="module")
def families(tmp_path_factory):
    """A run with a board of every family."""
    folder = tmp_path_factory.mktemp("families")
    text = f'rule = "snort"\nboard.edges = {json.dumps(PETERSEN)}\n'
    (folder / "petersen.toml").write_text(text)
    run = play(folder, {"first": FIRST, "chance": CHANCE}, variants=FAMILIES, openings=2)
    write_report(run)
    return run


def open_games(page, hash="games"):
    """Ask for games by the address, and wait for them."""
    page.evaluate("hash => { location.hash = hash }", hash)
    page.wait_for_selector("#game-list tbody tr")


def said(page):
    """The sentence about the ply that is shown."""
    return page.locator("#sentence").inner_text()


def blundered(run):
    """A game that was thrown away by a move, and the ply."""
    thrown = run.thrown_away()
    return next((game, thrown[game.game]) for game in logged(run) if thrown.get(game.game, 99) <= game.plies)


def test_what_the_script_says_is_what_rules_and_solver_say(visit, families):
    """After every ply of every game, on every family of boards: what is open, who wins, by which moves."""
    page = visit(families.folder / "report.html")
    told = {each["id"]: each for each in page.evaluate(TELL_ALL)}
    games = logged(families)
    assert len(told) == len(games)
    with families.log() as log:
        played = {name: kept_variant(log, name, version) for name, version in families.field.variants}
    graders = {name: Grader(each) for name, each in played.items()}
    for game in games:
        each, grader, begin = told[game.game], graders[game.variant], game.opening_plies
        graded = grader.game(game.cells, begin, game.winning_side)
        assert each["grades"] == ["opening"] * begin + list(graded.grades)
        assert each["winners"][begin:] == list(graded.winners[:-1])
        for ply in range(game.plies + 1):
            position = played[game.variant].replay(game.cells[:ply])
            assert each["open"][ply] == [
                [int(cell in position.moves_of(side)) for cell in range(position.board.size)]
                for side in (0, 1)
            ]
            if ply >= begin and graded.winners[ply - begin] == position.to_move:
                assert each["winning"][ply] == list(grader.winning_moves(position))


@pytest.mark.long
def test_every_board_family_is_shown(visit, families):
    """All cells, with a stone for each move and a frame around the last; across the seams of a torus too."""
    page = visit(families.folder / "report.html")
    for name, _ in families.field.variants:
        open_games(page, f"variant={name}")
        page.locator("#game-list tbody a").first.click()
        page.wait_for_function("name => byId('game-facts').textContent.startsWith(`${name},`)", arg=name)
        page.keyboard.press("End")
        moves = int(page.locator("#ply").get_attribute("max"))
        stones = page.locator("#board .cell.claimed :is(.of-first, .of-second)").filter(visible=True)
        assert stones.count() == moves
        assert page.locator("#board .cell .last").filter(visible=True).count() == 1
        assert page.locator("#board .cell.first .of-first").filter(visible=True).count() == (moves + 1) // 2
        assert page.locator("#board svg").get_attribute("aria-label").startswith(f"{name}, ply {moves}: ")


def test_letters_and_strokes_of_every_board_are_those_of_the_picture(visit, families):
    """No rule for another part of the page reaches a board: neither that of the replay nor those of blunders."""
    page = visit(families.folder / "report.html")
    open_games(page, "variant=blockade-line")
    page.locator("#game-list tbody a").first.click()
    page.wait_for_selector("#board .name")
    for place in ("#board", ".blunders"):
        letters = page.locator(f"{place} .arena-board text").evaluate_all(LOOK_OF_LETTERS)
        assert letters
        assert [size for size, _, _ in letters] == [asked for _, asked, _ in letters]
        assert {weight for _, _, weight in letters} == {"400"}
        strokes = page.locator(f"{place} .arena-board .stone:not(.wins)").evaluate_all(STROKES)
        assert strokes == ["4.5px"]


def test_the_text_of_a_game_is_that_of_the_terminal(visit, sample, report):
    """Move by move, with the same marks; and how it ended."""
    told = {each["id"]: each["text"] for each in visit(report).evaluate(TELL_ALL)}
    for game in (blundered(sample)[0], next(g for g in logged(sample) if g.ending == "illegal")):
        shown = inside("replay", sample.folder, game.game, "--grade", cwd=sample.folder).stdout
        lines = re.findall(r"^\d+\. .*", shown, re.M)
        assert [line for line in told[game.game].splitlines() if re.match(r"\d+\. ", line)] == lines
        ending = shown.strip().splitlines()[-2]
        assert ending.startswith(told[game.game].strip().splitlines()[-2])


def test_keys_belong_to_whoever_is_typing(visit, sample, report):
    """A list takes letters and arrows for itself, and outside of the viewer no key does anything."""
    page = visit(f"{report}#game={blundered(sample)[0].game}&ply=1")
    page.wait_for_selector("#viewer:focus")
    for place in ("#speed", "#filter-bot"):
        page.locator(place).focus()
        for key in ("n", "w", "End", "ArrowRight"):
            page.keyboard.press(key)
        assert said(page).startswith("ply 1")
        assert not page.locator("#show-winning").is_checked()
    page.locator("#ply").focus()
    page.keyboard.press("ArrowRight")
    assert said(page).startswith("ply 2")


def test_links_to_games_are_all_over_the_page(visit, report):
    """Forfeits and blunders lead to their plies, and all of these games are there."""
    page = visit(report)
    links = page.locator("[data-link] a").evaluate_all("all => all.map(each => each.hash)")
    assert links
    for hash in links:
        page.evaluate("hash => { location.hash = hash }", hash)
        page.wait_for_function("hash => location.hash === hash && !byId('viewer').hidden", arg=hash)
        assert page.locator("#games-status").inner_text() == ""


CHOICES = [
    ({"bot": "greedy", "against": "liar"}, Choice("greedy", "liar")),
    ({"bot": "chance", "result": "won"}, Choice("chance", is_won=True)),
    ({"bot": "chance", "result": "lost"}, Choice("chance", is_lost=True)),
    ({"bot": "first", "kind": "blunders"}, Choice("first", is_blundered=True)),
    (
        {"bot": "mirror", "kind": "forfeits", "result": "won"},
        Choice("mirror", is_won=True, is_forfeited=True),
    ),
    ({"kind": "forfeits", "variant": "snort:hex-3x3"}, Choice(variant="snort:hex-3x3", is_forfeited=True)),
]


@pytest.mark.long
def test_filters_choose_what_the_command_chooses(visit, sample, report):
    """`arena games` and the page have the same rules; and there are never more than a few rows."""
    page = visit(report)
    open_games(page)
    for asked, choice in CHOICES:
        for name in ("bot", "against", "variant", "result", "kind"):
            page.select_option(f"#filter-{name}", asked.get(name, ""))
        count = re.sub(r".* of |no such games", "", page.locator("#page-said").inner_text()) or "0"
        assert int(count) == len(choose_games(sample, choice)), asked
        assert page.locator("#game-list tbody tr").count() <= 12


ODD_ADDRESSES = {
    "game=nobody": "There is no game “nobody” in this page.",
    "game=%E0%A4%A&ply=1": "There is no game “",
    "bot=%3Cimg%20src%3Dx%3E": "These games have no bot “<img src=x>”; the others are listed.",
    "colour=red": "This page does not know what “colour” in its address means.",
    "__proto__=1&constructor=2": "This page does not know what “__proto__” in its address means.",
    "game={game}&ply=99": "This game has no ply “99”; its last one is ",
    "game={game}&ply=x": "This game has no ply “x”; its last one is ",
}


def test_what_an_address_cannot_mean_is_a_sentence(visit, sample, report):
    """Never an exception, and never anything but text."""
    page = visit(report)
    for hash, sentence in ODD_ADDRESSES.items():
        open_games(page, hash.format(game=logged(sample)[0].game))
        page.wait_for_function("said => byId('games-status').textContent.startsWith(said)", arg=sentence)
        assert page.locator("#games-status *").count() == 0


def test_inflate_reads_every_kind_of_block(visit, report):
    """Stored, with the fixed code and with codes of their own; short and long distances."""
    text = "".join(f"{n * n % 9973} " for n in range(20_000)) + "a" * 1000
    text += "\N{SNOWMAN}" + "0123456789" * 4000
    page = visit(report)
    for level, strategy in [(0, 0), (1, 0), (9, 0), (9, zlib.Z_FIXED), (9, zlib.Z_HUFFMAN_ONLY)]:
        packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
        packed = b64encode(packer.compress(text.encode()) + packer.flush()).decode()
        assert page.evaluate(f"packed => new TextDecoder().decode(inflate({BYTES}))", packed) == text


def test_slider_curve_and_move_list_lead_to_a_ply(visit, sample, report):
    """By mouse; the list shows where one is."""
    game, _ = blundered(sample)
    page = visit(f"{report}#game={game.game}&ply=1")
    page.wait_for_selector("#viewer:focus")
    page.locator("#ply").fill("3")
    assert page.url.endswith("&ply=3")
    page.locator("#moves button").nth(1).click()
    assert page.url.endswith("&ply=2")
    assert page.locator("#moves [aria-current=true]").inner_text().split()[0] == "2"
    box = page.locator("#curve").bounding_box()
    page.locator("#curve").click(position={"x": box["width"] - 2, "y": 20})
    assert page.url.endswith(f"&ply={game.plies}")


def test_it_prints_the_board_that_is_shown(visit, sample, report):
    """And nothing that only a screen can use; without an open game there is no such part on paper."""
    page = visit(report)
    page.emulate_media(media="print")
    assert not page.locator("#games").is_visible()
    page = visit(f"{report}#game={logged(sample)[0].game}&ply=2")
    page.wait_for_selector("#viewer:focus")
    page.emulate_media(media="print")
    assert page.locator("#board svg").is_visible()
    assert page.locator("#moves").is_visible()
    assert (
        page.locator("#games").get_by_role("button").filter(visible=True).count()
        == page.locator("#moves li").count()
    )
    assert page.locator("#games select").filter(visible=True).count() == 0
