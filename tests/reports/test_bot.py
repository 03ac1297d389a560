"""A bot's page: why it stands where it stands, for people and for scripts, and one for every bot."""

import json

import pytest

from arena.errors import UserError
from arena.field import Grading
from arena.reports.bot import show_bot, tell_bot
from arena.reports.bots import name_files, write_bots
from arena.results import blunders
from arena.results.bot import BotPages
from arena.results.losses import MOST_OF_A_KIND
from arena.results.run import Run
from arena.solver import solve
from tests.cli.command import inside
from tests.reports.harmless import Tags, check_harmless
from tests.tournament.field import CHANCE, FAILING, FIRST
from tests.tournament.small import BOTS, LIAR, change, copied, logged, play

KEYS = """run bot bots standing grade plies opponents variants sides unrated unsolved thrown_away thrown_by_forfeit
    blunders forfeits versions""".split()
BLUNDER = """game variant opponent side stone ply played winning_moves legal_moves games position
    command""".split()
FORFEIT = ["game", "variant", "opponent", "side", "ply", "detail", "command"]
FORMATS = ["table", "markdown", "html", "json"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run with forfeits, and a variant that ranks nobody."""
    bots = BOTS | {"absent": FAILING["no-start"]}
    variants = ["blockade-5x5", "snort:line-9", "grid-lock"]
    return play(tmp_path_factory.mktemp("pages"), bots, variants=variants)


def page(run, bot):
    """The page of a bot as scripts get it."""
    return json.loads(show_bot(run, bot, "json"))


def test_scripts_get_the_keys_that_are_documented(run):
    """The row of the standings with its names there, the records, the blunders and the forfeits."""
    shown = page(run, "liar")
    assert list(shown) == KEYS
    row = run.standings().set_index("bot").loc["liar"]
    assert list(shown["standing"]) == list(run.standings().columns)
    assert shown["standing"]["score"] == round(row["score"], 6)
    assert shown["standing"]["thrown"] == row["thrown"]
    assert [list(each) for each in shown["blunders"]] == [BLUNDER] * len(shown["blunders"])
    assert [list(each) for kind in shown["forfeits"] for each in kind["shown"]] == [FORFEIT] * MOST_OF_A_KIND
    assert shown["unrated"] == ["grid-lock"]


@pytest.mark.parametrize("bot", ["first", "chance", "liar", "absent"])
def test_records_add_up_to_the_standings(run, bot):
    """By opponent and by side they have the games of the score; by variant those that rank nobody too."""
    shown = page(run, bot)
    own = shown["standing"]
    for name in ("opponents", "sides"):
        assert sum(each["games"] for each in shown[name]) == own["games"]
        assert sum(each["wins"] for each in shown[name]) == own["wins"]
    assert sum(each["games"] for each in shown["variants"]) == own["games"] + own["unrated"]
    scores = [each["score"] for each in shown["opponents"]]
    assert scores == sorted(scores)


@pytest.mark.parametrize("bot", ["first", "chance", "liar"])
def test_a_blunder_is_a_won_position_and_a_move_that_lost_it(run, bot):
    """Asked of the solver itself: who was winning, which moves won, and that it was not one of them."""
    games = {game.game: game for game in logged(run)}
    found = BotPages(run).read(bot).blunders
    assert 0 < len(found) <= blunders.MOST_SHOWN
    for each in found:
        game = games[each.game]
        before = run_variant(run, each.variant).replay(game.cells[: each.ply - 1])
        assert game.loser == bot
        assert (game.winner, str(before)) == (each.opponent, each.position)
        assert bot == (game.first, game.second)[before.to_move]
        solution = solve(before)
        assert solution.winner == before.to_move
        assert each.winning_moves == list(map(before.name, solution.winning_moves))
        assert each.played == before.name(game.cells[each.ply - 1]) not in each.winning_moves
    shares = [len(each.winning_moves) / each.legal_moves for each in found]
    assert shares == sorted(shares, reverse=True)


def run_variant(run, name):
    """A variant of the run."""
    return BotPages(run)._variant(name)


def test_the_same_blunder_is_shown_once_with_its_games(run):
    """However often it was made; the numbers say how often."""
    found = BotPages(run).read("liar").blunders
    assert len({(each.variant, each.position, each.played) for each in found}) == len(found)
    assert sum(each.games for each in found) <= BotPages(run).read("liar").thrown_away


def test_blunders_are_found_once(run, tmp_path, monkeypatch):
    """Solving every move takes a while: the next page has them from the cache, and a changed log anew."""
    own = copied(run, tmp_path / "own")
    found = BotPages(own).read("liar").blunders
    assert found
    monkeypatch.setattr(blunders.Weigher, "worst", lambda *_: [])
    assert BotPages(Run(own.folder)).read("liar").blunders == found
    change(own, "UPDATE games SET detail = '' WHERE ending = 'no-start'")
    assert BotPages(Run(own.folder)).read("liar").blunders == []


def test_a_page_does_not_wait_for_grades_that_nobody_waits_for(run, tmp_path):
    """After grading was stopped there is a page without blunders, which are then not kept."""
    own = copied(run, tmp_path / "own").folder
    (own / "cache.sqlite").unlink()
    assert BotPages(Run(own, is_whole=False)).read("liar").blunders == []
    assert BotPages(Run(own)).read("liar").blunders


def test_forfeits_come_with_the_command_that_repeats_them(run):
    """By ending: how many there are, and the first of them, each with its sentence."""
    (kind,) = page(run, "liar")["forfeits"]
    assert (kind["ending"], kind["games"]) == ("illegal", page(run, "liar")["standing"]["forfeits"])
    for each in kind["shown"]:
        assert each["command"] == f"arena rerun {run.folder} {each['game']}"
        assert each["detail"].startswith(f"ply {each['ply']}: claimed cell 999")
    shown = show_bot(run, "liar")
    assert f"and {kind['games'] - MOST_OF_A_KIND} more illegal\n" in shown
    assert f"    {kind['shown'][0]['command']}\n" in shown


def test_a_bot_that_never_started_has_a_page_of_forfeits(run):
    """It threw won games away without making a move: there is no blunder, and no ply."""
    shown = page(run, "absent")
    assert (shown["blunders"], shown["standing"]["accuracy"]) == ([], 0.0)
    assert shown["thrown_away"] == shown["thrown_by_forfeit"] > 0
    assert {each["ply"] for kind in shown["forfeits"] for each in kind["shown"]} == {None}
    text = show_bot(run, "absent")
    assert f"{shown['thrown_away']} of them by a forfeit, see below" in text
    assert "blunders first" not in text


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_is_shown_as_nan_or_none(run, format):
    """What is not known is left out."""
    for bot in run.field.bots:
        shown = show_bot(run, bot, format).lower()
        assert "nan" not in shown
        assert "none" not in shown
        assert "<na>" not in shown
        check_harmless(shown)


def test_a_page_of_html_is_whole_and_nothing_in_it_is_a_strangers(run, tmp_path):
    """What a bot's failure says is text there, and never a tag."""
    tampered = copied(run, tmp_path / "cup")
    change(tampered, "UPDATE games SET detail = '<script>alert(1)</script>' WHERE detail <> ''")
    shown = show_bot(tampered, "liar", "html")
    assert shown.startswith("<!DOCTYPE html>\n")
    assert shown.endswith("</html>")
    assert "&lt;script&gt;" in shown
    ours = "html head meta title style body h1 h2 p pre table thead tbody tr th td".split()
    assert Tags(shown).tags == set(ours)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_page_fits_the_screen(run, width):
    """Sentences are wrapped and tables lose columns; commands stay whole, to be copied."""
    for bot in run.field.bots:
        whole, lines = show_bot(run, bot), show_bot(run, bot, width=width).splitlines()
        assert [line for line in lines if len(line) > width and not line.startswith("arena ")] == []
        assert all(line.strip() in whole for line in lines if line.strip().startswith("arena "))


def test_every_bot_gets_a_file(run, tmp_path):
    """With one command; the extension says the format, and a page in a file is the one that is printed."""
    for format, extension in (("table", "txt"), ("markdown", "md"), ("html", "html"), ("json", "json")):
        index, files = write_bots(run, tmp_path / "new" / format, format)
        assert index.name == f"index.{extension}"
        assert sorted(file.name for file in files) == sorted(f"{bot}.{extension}" for bot in run.field.bots)
        assert files[0].read_text() == show_bot(run, files[0].stem, format) + "\n"


def test_the_index_leads_to_every_page(run, tmp_path):
    """In the order of the standings; the links are those of the files, and nobody's own text."""
    ranked = run.standings()["bot"].tolist()
    index, files = write_bots(run, tmp_path, "html")
    page = Tags(index.read_text())
    assert {value for name, value in page.attributes if name == "href"} == {file.name for file in files}
    assert page.tags <= set("html head meta title style body h1 table thead tbody tr th td a p".split())
    markdown = write_bots(run, tmp_path, "markdown")[0].read_text()
    places = [markdown.index(f"]({bot}.md)") for bot in ranked]
    assert places == sorted(places)
    told = json.loads(write_bots(run, tmp_path, "json")[0].read_text())
    assert [each["bot"] for each in told] == ranked
    assert [each["page"] for each in told] == [f"{bot}.json" for bot in ranked]
    assert {(each["passed"], each["is_sure"]) for each in told} == {(None, None)}
    heard: list[tuple[int, int]] = []
    write_bots(run, tmp_path, "table", lambda *far: heard.append(far))
    assert heard == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert "verdict" not in markdown


def test_a_page_says_whether_its_bot_passed(run, tmp_path):
    """With the share, its interval and the mark, as `grades.csv` has them; the index says it of all."""
    graded, grading = Run(run.folder), Grading(("chance",), "score", 0.4)
    graded.field = run.field._replace(grading=grading)
    grades = {row["bot"]: row for row in graded.passing(grading).to_dict("records")}
    for bot, row in grades.items():
        verdict = "passed" if row["passed"] == "yes" else "not passed"
        line = show_bot(graded, bot).split("\n\n")[1]
        assert line.startswith(f"{verdict}: score {row['score']:.3f} (")
        assert "against chance, the pass mark is 0.4" in line
        assert ("; that is not sure" in line) == (row["is_sure"] == "no")
        assert json.loads(show_bot(graded, bot, "json"))["grade"]["passed"] == row["passed"]
    assert "it is a boss, and not graded" in show_bot(graded, "chance")
    index = write_bots(graded, tmp_path, "table")[0].read_text()
    assert index.count("not passed") == sum(row["passed"] == "no" for row in grades.values()) > 0


def test_a_verdict_is_not_for_the_report(run):
    """What is published of a bot does not say whether its author passed."""
    graded = Run(run.folder)
    graded.field = run.field._replace(grading=Grading(("chance",), "score", 0.4))
    told = tell_bot(BotPages(graded).read("liar"), "cup", "cup")
    assert not any("pass" in str(block) for block in told)


def test_files_of_bots_that_differ_in_case_differ_in_more():
    """Some file systems take them for the same."""
    assert name_files(["index"], "md") == {"index": "index-2.md"}
    assert name_files(["ann", "Ann", "ann-2"], "md") == {
        "ann": "ann.md",
        "Ann": "Ann-2.md",
        "ann-2": "ann-2-2.md",
    }


def test_a_bot_that_has_not_played_has_a_page(run, tmp_path):
    """It says so; nothing else is known."""
    empty = copied(run, tmp_path / "cup")
    change(empty, "DELETE FROM games")
    (empty.folder / "cache.sqlite").unlink()
    for format in FORMATS:
        shown = show_bot(Run(empty.folder), "first", format)
        assert "it has played no game yet" in shown or format == "json"


@pytest.mark.long
def test_what_could_not_be_solved_is_said(tmp_path):
    """On a large board blunders are known from some ply on."""
    bots = {"first": FIRST, "chance": CHANCE}
    large = play(tmp_path, bots, variants=["kayles:hex-8x8"], openings=1)
    assert page(large, "first")["unsolved"] == 2
    assert "2 games could be judged only from a later ply on" in show_bot(large, "first")


def test_an_old_version_of_a_bot_is_not_on_its_page(tmp_path):
    """In a Swiss its games count as another bot's."""
    bots = {"first": FIRST, "chance": CHANCE, "liar": LIAR}
    settings = {"format": "swiss", "rounds": 2, "variants": ["snort:line-9"]}
    play(tmp_path, bots, **settings)
    again = play(tmp_path, bots | {"liar": LIAR + "# mended\n"}, **settings)
    shown = page(again, "liar")
    assert sum(kind["games"] for kind in shown["forfeits"]) == shown["standing"]["forfeits"]
    assert sum(each["games"] for each in shown["opponents"]) == shown["standing"]["games"]


def test_the_command_prints_and_writes_pages(run, tmp_path):
    """By a run's name too; mistakes are one line."""
    cwd = run.folder.parent.parent
    name = run.folder.name
    shown = inside("bot", name, "first", cwd=cwd)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("first in cup\n============\n")
    assert f"    arena replay {name} " in shown.stdout
    wrote = inside("bot", name, "--all", tmp_path / "pages", "--format", "html", cwd=cwd)
    newest = inside("bot", "first", cwd=cwd)
    assert (newest.stdout, newest.stderr) == (shown.stdout, "results/cup, the newest\n")
    index = tmp_path / "pages" / "index.html"
    assert wrote.stdout == f"wrote 4 pages to {index.parent}/, and {index}, which leads to them\n"
    assert len(list(index.parent.iterdir())) == 5
    for words, said in (
        (("lier",), "arena: there is no bot 'lier' in this run; did you mean 'liar'?\n"),
        ((), "arena: name a bot, or say --all DIR for a page of every bot: one of the two\n"),
        (("--all", run.folder / "games.csv"), f"arena: {run.folder / 'games.csv'}: File exists\n"),
    ):
        refused = inside("bot", name, *words, cwd=cwd)
        assert (refused.returncode, refused.stdout, refused.stderr) == (1, "", said)


def test_an_unknown_bot_is_a_users_mistake(run):
    """With the nearest name."""
    with pytest.raises(UserError, match="there is no bot 'chanse' in this run; did you mean 'chance'"):
        show_bot(run, "chanse")
