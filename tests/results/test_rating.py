"""Ratings of a run: in every table, from the games that can rank, and the same however they are computed."""

import os
import re
import shutil
import tempfile
from collections import Counter
from contextlib import contextmanager
from math import inf
from pathlib import Path

import pandas as pd
import pytest

from arena.bots.source import NAME
from arena.log.cache import CACHE
from arena.reports.bot import show_bot
from arena.reports.showing import leaderboard, notes
from arena.results import graders, rating
from arena.results.rating import rating_rows
from arena.results.run import Run
from arena.standings import OVERALL
from arena.standings.ratings import rate
from arena.standings.shares import measure_shares
from tests.standings.test_tables import CONTRACT_COLUMNS
from tests.tournament.field import CHANCE, FAILING, FIRST, LAST
from tests.tournament.small import change, copied, play, play_games

MIDDLE = "def move(position):\n    return position.legal_moves[len(position.legal_moves) // 2]\n"
# Gives about every other game away that it could still play.
CLUMSY = (
    "def move(position):\n    if len(position.history) > 3 and sum(position.history) % 2:\n        return 999\n"
    "    return position.legal_moves[len(position.legal_moves) // 2]\n"
)
BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE, "clumsy": CLUMSY}
VARIANTS = ["snort:line-9", "grid-lock", "snort:grid-3x3"]  # in grid-lock the second side always wins
RATED = ["rating", "low", "high"]
NOBODY = 65534

# Each gives up when it meets the next: it knows the other by the end of the board at which it plays.
PLAIN = """
class Bot:
    def __init__(self):
        self.has_moved = False

    def move(self, position):
        legal = position.legal_moves
        if self.has_moved:
            below, above = (any(cell < position.history[-1] for cell in legal),
                            any(cell > position.history[-1] for cell in legal))
            style = "low" if not below else "high" if not above else "middle"
            if style == "{feared}":
                return 999
        self.has_moved = True
        return legal[{choice}]
"""
CIRCLE = {
    "paper": PLAIN.format(choice="-1", feared="middle"),
    "rock": PLAIN.format(choice="0", feared="high"),
    "scissors": PLAIN.format(choice="len(legal) // 2", feared="low"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished tournament of four bots on two variants that rank them and one that cannot."""
    return play(tmp_path_factory.mktemp("rated"), BOTS, variants=VARIANTS, openings=4)


def games_of(run, **where):
    """The games of a run as ratings take them, from the list of games that anybody can get."""
    games = run.games()
    for column, value in where.items():
        games = games[games[column].isin(value)]
    return pd.DataFrame(
        {
            **{name: games[name] for name in ("variant", "opening", "first", "second")},
            "mover": games["opening_plies"] % 2,
            "wins": (games["winner"] == games["first"]).astype(int),
            "games": 1,
        }
    )


def rated(table):
    """What a table says of each bot's rating."""
    return {row.bot: (row.rating, row.low, row.high) for row in table.itertuples()}


def test_every_table_has_ratings_with_intervals(whole):
    """Ratings lie in their intervals, and the mean of the field is 1500: overall and on each variant."""
    by_variant = whole.standings("variant")
    parts = [by_variant[by_variant["variant"] == name] for name in ("snort:line-9", "snort:grid-3x3")]
    for table in (whole.standings(), *parts):
        assert len(table) == 4
        assert table[RATED].notna().all(axis=None)
        assert (table["low"] <= table["rating"]).all()
        assert (table["rating"] <= table["high"]).all()
        assert table["rating"].mean() == pytest.approx(1500, abs=0.01)


def test_ratings_are_those_of_the_games_that_can_rank(whole):
    """Overall the degenerate variant is left out; a variant's own table rests on its own games."""
    able = ["snort:line-9", "snort:grid-3x3"]
    assert rated(whole.standings()) == rated(rate(games_of(whole, variant=able)).table)
    by_variant = whole.standings("variant")
    for name in able:
        expected = rated(rate(games_of(whole, variant=[name])).table)
        assert rated(by_variant[by_variant["variant"] == name]) == expected
        assert rated(whole.standings(variant=name)) == expected
    assert rated(by_variant[by_variant["variant"] == able[0]]) != rated(whole.standings())


def test_every_score_lies_in_its_interval(whole):
    """Overall, on each variant and by side, as counting the games by opening gives it."""
    for table in (whole.standings(), whole.standings("variant"), whole.standings("side")):
        assert table["score"].between(table["score_low"], table["score_high"]).all()
    games = whole.games()
    games = games[games["variant"] != "grid-lock"]
    both = pd.concat(
        [games.assign(bot=games[side], won=games["winner"] == games[side]) for side in ("first", "second")]
    )
    found = measure_shares(both.assign(of=1), "won", "of")
    table = whole.standings().set_index("bot")
    for bot, share in found.items():
        assert tuple(table.loc[bot, ["score", "score_low", "score_high"]]) == pytest.approx(share[:3])


def test_files_have_the_ratings_of_the_tables(whole):
    """standings.csv, standings-<variant>.csv and ratings.csv say what is shown, in the contract's columns."""
    files = {None: "standings.csv", "snort:line-9": "standings-snort-line-9.csv"}
    for variant, name in files.items():
        assert (whole.folder / name).read_text().splitlines()[0] == ",".join(CONTRACT_COLUMNS)
        assert rated(pd.read_csv(whole.folder / name)) == rated(whole.standings(variant=variant or ""))
    table = pd.read_csv(whole.folder / "ratings.csv")
    assert table.columns.tolist() == ["part", "bot", *RATED, "over_next", "units", "widening"]
    assert table["part"].tolist() == ["all variants"] * 4 + ["snort:line-9"] * 4 + ["snort:grid-3x3"] * 4
    assert rated(table[table["part"] == "all variants"]) == rated(whole.standings())
    # Three opponents, four openings on each of two variants.
    assert set(table[table["part"] == "all variants"]["units"]) == {24}
    assert table.groupby("part")["over_next"].apply(lambda chances: chances.isna().sum()).eq(1).all()


def test_ranks_follow_ratings(whole):
    """By rating, then score, then name; and the chance to be better than the next is at least a half."""
    table = whole.standings()
    order = sorted(table.itertuples(), key=lambda row: (-row.rating, -row.score, row.bot))
    assert table["bot"].tolist() == [row.bot for row in order]
    chances = whole.ratings().query("part == 'all variants'")["over_next"].astype(float)
    assert chances.dropna().between(0.5, 1).all()


def test_a_degenerate_variant_has_no_ratings_and_a_word(whole):
    """It is ranked by score, its file has empty columns, and the notes say that it is left out, and why."""
    table = pd.read_csv(whole.folder / "standings-grid-lock.csv")
    assert table[RATED].isna().all(axis=None)
    assert table["score"].is_monotonic_decreasing
    word = (
        "grid-lock is degenerate, and its 48 games are left out of scores and ratings: "
        "every legal game lasts 4 plies; the second side always wins"
    )
    assert word in notes(whole)
    assert word in leaderboard(whole, variant="grid-lock").splitlines()
    assert word not in leaderboard(whole, variant="snort:line-9")
    assert "rating" not in leaderboard(whole, variant="grid-lock").splitlines()[0]


def test_where_nothing_can_rank_there_are_no_ratings(tmp_path):
    """A run on degenerate variants alone is ranked by score, in every format, and says why."""
    run = play(tmp_path, {"first": FIRST, "last": LAST}, variants=["grid-lock", "blockade-4x4"], openings=2)
    table = run.standings()
    assert table[RATED].isna().all(axis=None)
    assert table["rank"].tolist() == [1, 1]
    assert (run.folder / "ratings.csv").read_text().splitlines() == [
        "part,bot,rating,low,high,over_next,units,widening"
    ]
    said = notes(run)
    assert sum("left out of ratings" in line for line in said) == 2
    assert not any(line.startswith(("rating:", "over_next:")) for line in said)
    for format in ("table", "markdown", "csv", "json", "html", "latex"):
        assert "nan" not in leaderboard(run, format=format).lower()


def test_a_side_has_no_rating(whole):
    """Strength is a bot's and not a side's: no ratings by side, and no word on how to read them."""
    assert whole.standings("side")[RATED].isna().all(axis=None)
    shown = leaderboard(whole, "side")
    assert "rating" not in shown.splitlines()[0]
    assert "over_next" not in shown
    assert "score 95 %" in shown.splitlines()[0]


def test_everybody_is_shown_the_chance_to_be_better(whole):
    """`over_next` is beside the rating; scripts get the contract's columns, and people a line on how to read it."""
    for format in ("table", "markdown", "html", "latex", "csv", "json"):
        assert "over" in leaderboard(whole, format=format)
    assert leaderboard(whole, format="csv").splitlines()[0] == ",".join(CONTRACT_COLUMNS)
    shown = leaderboard(whole).splitlines()
    assert re.split(r"\s{2,}", shown[0].strip())[7:10] == ["rating", "rating 95 %", "over_next"]
    assert "over_next: how likely it is that a bot is truly better than the next one" in shown


def test_forfeits_can_be_left_out_of_ratings_alone(whole):
    """A bot that gave games away gets the rating of those it played out; no other column changes, and it is said."""
    table, without = whole.standings(), whole.standings(without_forfeits=True)
    assert table.set_index("bot").loc["clumsy", "forfeits"] > 10
    others = [name for name in table.columns if name not in (*RATED, "over_next", "rank")]
    one, other = (frame.set_index("bot").sort_index()[others[1:]] for frame in (table, without))
    pd.testing.assert_frame_equal(one, other)
    played_out = games_of(whole, variant=["snort:line-9", "snort:grid-3x3"], ending=["no-moves"])
    assert rated(without) == rated(rate(played_out).table)
    assert rated(without)["clumsy"][0] > rated(table)["clumsy"][0] + 50
    word = "forfeited games are left out of the ratings"
    assert word in leaderboard(whole, without_forfeits=True).splitlines()
    assert word not in leaderboard(whole)


def test_a_bot_that_only_forfeits_is_then_not_rated(tmp_path):
    """It stands last, with all its losses, and every format can show that; the others are rated."""
    bots = {"a": FAILING["crash"], "first": FIRST, "last": LAST}
    run = play_games(tmp_path, bots, variants=["snort:line-9"])
    assert run.standings()["rating"].notna().all()
    table = run.standings(without_forfeits=True)
    assert table["bot"].tolist()[-1] == "a"
    assert table[RATED].isna().all(axis=1).tolist() == [False, False, True]
    assert table["rating"].mean() == pytest.approx(1500, abs=0.01)
    assert table["losses"].tolist()[-1] == 12
    for format in ("table", "markdown", "csv", "json", "html", "latex"):
        assert "nan" not in leaderboard(run, format=format, without_forfeits=True)
    alone = play_games(tmp_path / "two", {"a": FAILING["crash"], "b": FIRST}, variants=["snort:line-9"])
    assert alone.standings(without_forfeits=True)[RATED].isna().all(axis=None)
    assert "b" in leaderboard(alone, without_forfeits=True).splitlines()[2]


def images_of(variant, cells):
    """All a game's images under the symmetries of a line and of a square, written out by hand."""
    if "line" in variant:
        return [cells, tuple(8 - cell for cell in cells)]
    turns = []
    for turn in (
        lambda r, c: (r, c),
        lambda r, c: (c, 2 - r),
        lambda r, c: (2 - r, 2 - c),
        lambda r, c: (2 - c, r),
    ):
        turned = [turn(*divmod(cell, 3)) for cell in cells]
        turns += [tuple(3 * r + c for r, c in turned), tuple(3 * c + r for r, c in turned)]
    return turns


def test_games_that_differ_are_counted_up_to_symmetry(tmp_path):
    """The notes say how many games are not the same as another of the same bots, also turned or mirrored."""
    bots = {"first": FIRST, "last": LAST, "middle": MIDDLE}
    run = play_games(tmp_path, bots, variants=["snort:line-9", "snort:grid-3x3"], openings=8)
    games = [
        (game.variant, game.first, game.second, tuple(map(int, str(game.moves).split())))
        for game in run.games().itertuples()
    ]
    different = {(*bots, min(images_of(bots[0], cells))) for *bots, cells in games}
    assert len(games) == run.standings()["games"].sum() // 2
    assert notes(run)[0] == f"{len(games)} games, {len(different)} distinct, between 3 bots on 2 variants"


def test_repeating_what_is_always_played_alike_tells_nothing_new(tmp_path):
    """With repeats = 5 there are five times the games, no more that differ, and the very same ratings."""
    bots = {"first": FIRST, "last": LAST, "middle": MIDDLE}
    once, often = (
        play_games(tmp_path / str(repeats), bots, variants=["snort:line-9"], repeats=repeats)
        for repeats in (1, 5)
    )
    assert len(often.games()) == 5 * len(once.games())
    assert often.distinct == once.distinct <= len(once.games())
    assert rated(often.standings()) == rated(once.standings())
    assert often.ratings().equals(once.ratings())


def test_bots_that_beat_each_other_in_a_circle_are_named(tmp_path):
    """No order is right for them: their ratings are alike, and the notes name the circle."""
    run = play(tmp_path, CIRCLE, variants=["kayles:line-25"], openings=6)
    wins = Counter(frozenset(pair) for pair in run.games()[["first", "second"]].itertuples(index=False))
    assert set(wins.values()) == {12}
    assert "in a circle: paper beats rock beats scissors beats paper" in notes(run)
    assert (
        "in a circle: paper beats rock beats scissors beats paper"
        in (run.folder / "standings.md").read_text()
    )
    assert not any("circle" in line for line in notes(run, variant="kayles:line-25"))


def test_whoever_is_not_sure_to_win_is_in_no_circle(tmp_path):
    """Circles of few games are chance, and are not told."""
    run = play_games(tmp_path, CIRCLE, variants=["kayles:line-25"], openings=3)
    assert run.cycles == []


def test_the_cache_changes_no_number(whole, tmp_path):
    """Ratings, distinct games and circles come out the same with it, without it, and after a change."""
    run = copied(whole, tmp_path / "copy")
    kept = everything(run)
    assert everything(Run(run.folder)) == kept
    (run.folder / CACHE).unlink()
    assert everything(Run(run.folder)) == kept
    change(run, "UPDATE games SET winner = CASE winner WHEN first THEN second ELSE first END")
    assert everything(Run(run.folder)) != kept


def everything(run):
    """All numbers that a cache may hold, as text."""
    frames = [run.standings(), run.standings("variant"), run.ratings(), run.ratings(without_forfeits=True)]
    return [frame.to_csv() for frame in frames] + [run.distinct, run.cycles, leaderboard(run)]


@contextmanager
def readable_only(folder):
    """Be somebody who may read a folder and not write in it."""
    for file in folder.iterdir():
        file.chmod(0o755 if file.is_dir() else 0o444)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.fixture
def published(whole, monkeypatch):
    """A copy of a run that everybody may read, without what only its owner needs."""
    # Tests that use it become somebody else, to whom the server that forks graders does not listen.
    monkeypatch.setattr(graders, "PATIENCE_SECONDS", inf)
    place = Path(tempfile.mkdtemp())  # pytest's own folders are closed to others
    place.chmod(0o755)
    run = copied(whole, place / "copy")
    for name in (CACHE, "lock.sqlite", "games.sqlite-wal", "games.sqlite-shm"):
        (run.folder / name).unlink(missing_ok=True)
    yield run
    shutil.rmtree(place)


def test_a_folder_that_may_only_be_read_is_rated_all_the_same(whole, published):
    """Without a cache in it, and with nowhere to put one, ratings, distinct games and circles are computed."""
    kept = whole.ratings().to_csv(), whole.distinct, whole.cycles
    with readable_only(published.folder):
        run = Run(published.folder)
        assert (run.ratings().to_csv(), run.distinct, run.cycles) == kept
        assert not (run.folder / CACHE).exists()


def test_a_folder_that_may_only_be_read_has_pages_of_its_bots(whole, published):
    """With the blunders, which are graded anew."""
    bot = whole.standings()["bot"].iloc[-1]
    kept = show_bot(whole, bot).replace(str(whole.folder), str(published.folder))
    with readable_only(published.folder):
        assert show_bot(Run(published.folder), bot) == kept


def test_a_folder_that_may_only_be_read_is_shown_all_the_same(whole, published):
    """Whoever was sent a folder sees every table of it."""
    kept = everything(whole)
    with readable_only(published.folder):
        assert everything(Run(published.folder)) == kept


def test_a_variant_may_be_called_overall(tmp_path):
    """What all games are called is no name that a variant can have."""
    (tmp_path / "overall.toml").write_text('rule = "snort"\nboard = "line-7"\n')
    run = play_games(tmp_path, {"first": FIRST, "last": LAST}, variants=["overall.toml", "snort:line-9"])
    assert rated(run.standings()) == rated(rate(games_of(run)).table)
    assert rated(run.standings(variant="overall")) == rated(rate(games_of(run, variant=["overall"])).table)
    assert not NAME.fullmatch(OVERALL)


RESULT_COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]


def test_nothing_played_is_rated_as_nothing():
    """Without results there are no rows, and no error."""
    assert rating_rows(pd.DataFrame(columns=RESULT_COLUMNS), ["a"], ["v"]) == []


def test_old_versions_of_bots_take_part_and_are_not_of_the_field():
    """Their games tell of their opponents; they have no row, and the mean of the others is 1500."""
    pairs = [("a", "b", 6), ("a@0", "b", 1), ("c", "a@0", 5), ("a", "c", 4)]
    results = pd.DataFrame(
        [("line", 0, one, other, 0, wins, 7) for one, other, wins in pairs], columns=RESULT_COLUMNS
    )
    rows = pd.DataFrame(
        rating_rows(results, ["a", "b", "c"], ["line"]),
        columns=["part", "bot", *RATED, "over", "units", "widening"],
    )
    table = rows[rows["part"] == "all variants"].set_index("bot")
    assert table.index.tolist() == ["a", "c", "b"]
    assert table["rating"].mean() == pytest.approx(1500, abs=0.01)
    fit = rate(results)
    whole = fit.table.set_index("bot")
    assert "a@0" in whole.index
    for one, other in (("a", "b"), ("b", "c")):
        apart = whole["rating"][one] - whole["rating"][other]
        assert table["rating"][one] - table["rating"][other] == pytest.approx(apart, abs=0.02)
    assert table["over"].tolist()[:2] == [fit.superiority("a", "c"), fit.superiority("c", "b")]


def test_results_are_added_up_however_they_are_cut(monkeypatch):
    """A kind of game has one row, with all its games and wins, also where it is spread over many chunks."""
    kinds = [("line", 0, "ada", "bea", 0), ("line", 0, "bea", "ada", 0), ("grid", 3, "ada", "bea", 1)]
    rows = [(*kinds[number % 3], number % 2, 1) for number in range(25)]
    for chunk in (1, 4, 25, 100):
        monkeypatch.setattr(rating, "CHUNK", chunk)
        found = rating.results_frame(iter(rows))
        assert sorted(found.itertuples(index=False, name=None)) == [
            ("grid", 3, "ada", "bea", 1, 4, 8),
            ("line", 0, "ada", "bea", 0, 4, 9),
            ("line", 0, "bea", "ada", 0, 4, 8),
        ]
    assert rating.results_frame(iter([])).empty
