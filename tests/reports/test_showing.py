"""What is shown of a run: tables with notes, for people and for scripts, and the files beside the log."""

import json

import pandas as pd
import pytest

from arena.reports.showing import leaderboard, notes, write_tables
from arena.results.run import Run
from tests.tournament.field import CHANCE, FIRST, LAST
from tests.tournament.small import BOTS, LIAR, change, copied, play

FORMATS = ["table", "markdown", "csv", "json", "html", "latex"]
SCALE = "rating: Elo scale, 400 points are odds of 10:1; low to high is a 95 % interval"
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
    assert lines[2:] == ["36 games trusted", SCALE, CHANCES]


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


def test_scripts_get_the_numbers_of_the_tables(run):
    """JSON has what the frame has, and CSV is the file's text."""
    records = json.loads(leaderboard(run, format="json"))
    assert [record["rating"] for record in records] == run.standings()["rating"].tolist()
    assert leaderboard(run, format="csv") + "\n" == (run.folder / "standings.csv").read_text()


def test_ratings_are_whole_points_for_people(run):
    """Digits after the point would say more than is known."""
    row = leaderboard(run).splitlines()[2].split()
    table = run.standings().iloc[0]
    assert row[7:10] == [f"{table[name]:.0f}" for name in ("rating", "low", "high")]


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
    """Who won it stands first whatever the ratings say; ratings are there, and no chances between neighbours."""
    table = cup.standings()
    assert table["rank"].tolist()[:2] == [1, 2]
    assert table["rating"].notna().all()
    shown = leaderboard(cup)
    assert "over_next" not in shown
    assert SCALE in shown
    assert table["bot"].iloc[0] in shown.splitlines()[2]
    assert CHANCES in leaderboard(cup, "variant")
    assert "over_next" in leaderboard(cup, "variant").splitlines()[0]
    assert "over_next" in leaderboard(cup, variant="snort:line-9").splitlines()[0]


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
    assert len(files) == 8
    write_tables(Run(copy.folder))
    assert {file: file.read_bytes() for file in copy.folder.glob("*.csv")} == files
