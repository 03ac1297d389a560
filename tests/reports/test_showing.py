"""What is shown of a run: tables with notes, for people and for scripts, and the files beside the log."""

import json

import pandas as pd
import pytest

from arena.errors import UserError
from arena.reports.ledger import show_ledger
from arena.reports.showing import leaderboard, notes, write_tables
from arena.results.run import Run
from arena.standings.ratings import rate
from tests.tournament.field import CHANCE, FIRST, LAST
from tests.tournament.small import BOTS, LIAR, change, copied, play

LEDGER = "bot,variant,games,wins,won_starts,held,lost_starts,taken,gifts,thrown,unjudged"
FORMATS = ["table", "markdown", "csv", "json", "html", "latex"]
SCALE = "rating: Elo scale, 400 points are odds of 10:1; 95 %: the interval of the number before it"
CHANCES = "over_next: how likely it is that a bot is truly better than the next one"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run with forfeits."""
    return play(tmp_path_factory.mktemp("shown"))


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A knock-out of four."""
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE, "liar": LIAR}
    return play(tmp_path_factory.mktemp("cup"), bots, format="knock-out", variants=["snort:line-9"])


def test_the_notes_are_all_that_a_reader_should_know(run):
    """In the order of how much was played, what went wrong, and how to read it."""
    lines = notes(run)
    assert lines[0] == f"36 games, {run.distinct} distinct, between 3 bots on 2 variants"
    assert lines[1].startswith("liar forfeited ")
    assert lines[2:5] == ["36 games trusted", SCALE, CHANCES]
    assert [line.split(":")[0] for line in lines[5:]] == ["accuracy", "held"]


def test_notes_of_a_variant_are_of_its_games(run):
    """Its own games are counted, and its own forfeits."""
    lines = leaderboard(run, variant="snort:line-9").splitlines()
    assert "18 games between 3 bots on 1 variant" in lines
    assert SCALE in lines


@pytest.mark.parametrize("by", ["overall", "variant", "side"])
@pytest.mark.parametrize("format", FORMATS)
def test_every_table_comes_in_every_format(run, by, format):
    """With forfeits in its ratings or without; nothing empty is shown as nan, and every bot is there."""
    for without_forfeits in (False, True):
        shown = leaderboard(run, by, format=format, without_forfeits=without_forfeits)
        assert "nan" not in shown
        assert all(bot in shown for bot in BOTS)


def test_html_is_a_whole_page_with_its_notes(run, cup):
    """It can be mailed or put on a web server as it is; of a knock-out it has the bracket."""
    shown = leaderboard(run, format="html")
    assert shown.startswith("<!DOCTYPE html>")
    assert SCALE in shown
    assert "<pre>" not in shown
    assert "<pre>" in leaderboard(cup, format="html")


def test_scripts_get_the_numbers_of_the_tables(run):
    """JSON has what the frame has, and CSV is the file's text."""
    records = json.loads(leaderboard(run, format="json"))
    assert [record["rating"] for record in records] == run.standings()["rating"].tolist()
    assert leaderboard(run, format="csv") + "\n" == (run.folder / "standings.csv").read_text()


def test_ratings_are_whole_points_for_people(run):
    """Digits after the point would say more than is known."""
    row = leaderboard(run).splitlines()[2].split()
    table = run.standings().iloc[0]
    assert row[7:9] == [f"{table['rating']:.0f}", f"{table['low']:.0f}-{table['high']:.0f}"]


def test_by_variant_each_table_has_chances_of_its_own(run):
    """`over_next` is that of the variant's ratings, and empty for the last of each."""
    lines = leaderboard(run, "variant").splitlines()
    at = lines[0].index("over_next")
    shown = [line[at : at + len("over_next")].strip() for line in lines[2:8]]
    ratings = run.ratings()
    expected = [
        f"{chance:.3f}" if pd.notna(chance) else ""
        for variant in run.variants
        for chance in ratings[ratings["part"] == variant]["over_next"].astype(float)
    ]
    assert shown == expected
    assert [bool(chance) for chance in shown] == [True, True, False] * 2


def test_a_knock_out_is_ranked_by_its_bracket(cup):
    """Who won it stands first whatever the ratings say; how sure each place is, is beside it."""
    table = cup.standings()
    assert table["rank"].tolist()[:2] == [1, 2]
    assert table["rating"].notna().all()
    ratings = rate(cup.results())
    for one, other, said in zip(table["bot"], table["bot"][1:], table["over_next"], strict=False):
        assert said == pytest.approx(ratings.superiority(one, other))
    assert pd.isna(table["over_next"].iloc[-1])
    shown = leaderboard(cup)
    assert SCALE in shown
    assert table["bot"].iloc[0] in shown.splitlines()[2]
    assert CHANCES in leaderboard(cup, "variant")
    assert "over_next" in leaderboard(cup, "variant").splitlines()[0]
    assert "over_next" in leaderboard(cup, variant="snort:line-9").splitlines()[0]


def test_only_what_is_on_the_screen_is_explained(run):
    """A narrow screen has no column `held`, and no line about it."""
    assert "held: of the starts" in leaderboard(run)
    narrow = leaderboard(run, width=60)
    assert "rating: Elo scale" in narrow
    assert "held: of the starts" not in narrow
    assert "over_next: how likely" not in narrow


def test_a_swiss_shows_its_points(tmp_path):
    """Beside each name, as the rounds gave them; they are those of meetings won and half of those drawn."""
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE, "liar": LIAR}
    run = play(tmp_path, bots, format="swiss", variants=["snort:line-9"])
    shown = leaderboard(run).splitlines()
    assert shown[0].split()[:3] == ["rank", "bot", "points"]
    assert {line.split()[1]: float(line.split()[2]) for line in shown[2:6]} == run.points
    assert sum(run.points.values()) == 2 * len(run.bots) * 3 / 4
    assert "points" not in leaderboard(run, format="csv")
    assert "points" not in leaderboard(run, variant="snort:line-9").splitlines()[0]


@pytest.mark.parametrize("format", FORMATS)
def test_a_ledger_comes_in_every_format(run, format):
    """Overall, of a variant, and of each; scripts get the contract's columns."""
    for by, variant in (("overall", ""), ("overall", "snort:line-9"), ("variant", "")):
        shown = show_ledger(run, by, variant, format)
        assert all(bot in shown for bot in BOTS)
        assert "nan" not in shown.lower()
    if format == "csv":
        assert show_ledger(run, format="csv", by="variant").splitlines()[0] == LEDGER
        assert (run.folder / "ledger.csv").read_text().splitlines()[0] == LEDGER


def test_a_ledger_says_how_it_adds_up(run):
    """One line is the sum; what is left out is named; sides are refused in a sentence."""
    shown = show_ledger(run)
    assert "wins = won_starts + gifts - thrown\n" in shown
    assert "unjudged" not in shown
    assert "left out" not in shown
    assert "mostly at ply" in shown.splitlines()[0]
    with pytest.raises(UserError, match="leave out --by side"):
        show_ledger(run, by="side")


@pytest.mark.long
def test_a_ledger_of_what_cannot_be_solved_has_a_column_for_it(tmp_path):
    """On a large board the sum has one more term, which is explained."""
    large = play(
        tmp_path, {"first": FIRST, "chance": CHANCE}, variants=["kayles:hex-8x8", "grid-lock"], openings=1
    )
    shown = show_ledger(large)
    assert "wins = won_starts + gifts - thrown + unjudged\n" in shown
    assert "unjudged: games that could not be solved" in shown
    assert "left out, because nobody can be ranked there: grid-lock" in shown
    assert "left out" not in show_ledger(large, variant="grid-lock")


def test_an_unfinished_run_says_what_is_missing(run, tmp_path):
    """The table is that of the games there are."""
    half = copied(run, tmp_path / "half")
    change(half, "DELETE FROM games WHERE rowid > 20")
    assert "16 of 36 games are still to be played" in notes(Run(half.folder))
    assert Run(half.folder).standings()["games"].sum() == 40


def test_a_run_without_games_can_be_shown(run, tmp_path):
    """Nothing is rated, everything is missing, and no format fails."""
    empty = copied(run, tmp_path / "empty")
    change(empty, "DELETE FROM games")
    assert notes(Run(empty.folder))[:2] == [
        "no games yet between 3 bots",
        "36 of 36 games are still to be played",
    ]
    for format in FORMATS:
        assert "nan" not in leaderboard(Run(empty.folder), format=format)
    write_tables(Run(empty.folder))
    assert pd.read_csv(empty.folder / "standings.csv")["rating"].isna().all()


def test_files_are_the_same_each_time(run, tmp_path):
    """Writing them again changes no byte."""
    copy = copied(run, tmp_path / "copy")
    files = {file: file.read_bytes() for file in copy.folder.glob("*.csv")}
    assert len(files) == 9
    write_tables(Run(copy.folder))
    assert {file: file.read_bytes() for file in copy.folder.glob("*.csv")} == files
