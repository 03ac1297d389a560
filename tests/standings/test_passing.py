"""Who passes: shares of games and moves against the bosses, their intervals, and how sure that is."""

from math import isnan

import pandas as pd
import pytest

from arena.standings.passing import COLUMNS, passing
from arena.standings.shares import measure_shares, wilson

BOTS = pd.DataFrame(
    {"bot": ["boss", "ada", "bea", "new"], "version": ["b" * 12, "1" * 12, "2" * 12, "3" * 12]}
)
RESULTS = pd.DataFrame(
    [
        # ada beats the boss 3:1 as first and 2:2 as second, in three openings of two variants.
        ("line", 0, "ada", "boss", 0, 1, 2),
        ("line", 1, "ada", "boss", 0, 2, 2),
        ("line", 0, "boss", "ada", 0, 1, 2),
        ("grid", 0, "boss", "ada", 1, 1, 2),
        # bea lost to the boss, and beat ada, which is nobody's boss.
        ("line", 0, "bea", "boss", 0, 0, 4),
        ("line", 0, "bea", "ada", 0, 8, 8),
    ],
    columns=["variant", "opening", "first", "second", "mover", "wins", "games"],
)
GRADES = pd.DataFrame(
    [("ada", "line", 0, 3, 5), ("ada", "line", 1, 4, 5), ("bea", "line", 0, 0, 2), ("boss", "line", 0, 9, 9)],
    columns=["bot", "variant", "opening", "kept", "graded"],
)


def table_of(by="score", pass_mark=0.5, results=RESULTS, grades=GRADES, bosses=("boss",)):
    return passing(results, grades, BOTS, bosses, by, pass_mark).set_index("bot")


def test_the_score_is_over_games_against_bosses():
    """Games of other pairings do not count, sides do not matter, and evidence is counted by opening."""
    table = table_of()
    assert table.loc["ada", ["games", "score"]].tolist() == [8, 5 / 8]
    against = [
        ("ada", "line", 0, 2, 4),
        ("ada", "line", 1, 2, 2),
        ("ada", "grid", 0, 1, 2),
        ("bea", "line", 0, 0, 4),
    ]
    found = measure_shares(
        pd.DataFrame(against, columns=["bot", "variant", "opening", "won", "of"]), "won", "of"
    )
    for bot in ("ada", "bea"):
        assert tuple(table.loc[bot, ["score", "score_low", "score_high"]]) == found[bot][:3]
    assert table.loc["bea", ["games", "score"]].tolist() == [4, 0]
    assert table["version"].to_dict()["ada"] == "1" * 12


def test_the_accuracy_is_over_graded_moves():
    """Kept and graded moves are added up over sides, and the interval counts openings."""
    table = table_of()
    assert table.loc["ada", ["accuracy", "graded"]].tolist() == [0.7, 10]
    found = measure_shares(GRADES, "kept", "graded")["ada"]
    assert tuple(table.loc["ada", ["accuracy_low", "accuracy_high"]]) == (found.low, found.high)


@pytest.mark.parametrize("by", ["score", "accuracy"])
@pytest.mark.parametrize("pass_mark", [0.2, 0.5, 0.6, 0.95])
def test_twenty_repeats_of_the_same_games_change_nothing(by, pass_mark):
    """No share, no interval, no verdict, and not how many openings it would take: only the counts."""
    often = table_of(
        by,
        pass_mark,
        RESULTS.assign(wins=20 * RESULTS["wins"], games=20 * RESULTS["games"]),
        GRADES.assign(kept=20 * GRADES["kept"], graded=20 * GRADES["graded"]),
    )
    once = table_of(by, pass_mark)
    assert (often["games"] == 20 * once["games"]).all()
    counted = ["games", "graded"]
    pd.testing.assert_frame_equal(often.drop(columns=counted), once.drop(columns=counted), rtol=1e-12)


@pytest.mark.parametrize("pass_mark", [0.3, 0.4, 0.45, 0.5])
def test_so_many_more_openings_settle_a_verdict(pass_mark):
    """With them it is sure if the share stays; with one fewer it is not."""
    openings = 12
    rows = [("line", number, "ada", "boss", 0, number % 2 + number % 3 // 2, 2) for number in range(openings)]
    results = pd.DataFrame(rows, columns=RESULTS.columns)
    more = table_of("score", pass_mark, results).loc["ada", "more_openings"]
    found = measure_shares(results.assign(bot="ada"), "wins", "games")["ada"]
    assert more > 0
    for openings_then, is_sure in ((openings + more, True), (openings + more - 1, False)):
        low, high = wilson(found.share, found.trials * openings_then / openings)
        assert (low >= pass_mark or high < pass_mark) == is_sure


def test_exactly_at_the_mark_no_openings_would_do():
    """Nothing is promised there, nor where a verdict is sure already."""
    assert table_of("score", 0.625).loc["ada", "is_sure"] == "no"
    assert pd.isna(table_of("score", 0.625).loc["ada", "more_openings"])
    assert pd.isna(table_of("score", 0.0).loc["ada", "more_openings"])


def test_bosses_are_not_graded():
    """A row for each other bot, and none for those that are the measure."""
    assert set(table_of().index) == {"ada", "bea", "new"}
    assert set(table_of(bosses=("boss", "ada")).index) == {"bea", "new"}
    assert table_of(bosses=("boss", "ada")).loc["bea", ["games", "score"]].tolist() == [12, 8 / 12]
    assert passing(RESULTS, GRADES, BOTS, BOTS["bot"].tolist(), "score", 0.5).columns.tolist() == COLUMNS


@pytest.mark.parametrize(
    ("by", "pass_mark", "passed"),
    [
        ("score", 0.625, "yes"),
        ("score", 0.626, "no"),
        ("accuracy", 0.7, "yes"),
        ("accuracy", 0.71, "no"),
        ("score", 0, "yes"),
    ],
)
def test_who_reaches_the_mark_passes(by, pass_mark, passed):
    """By what was asked for, and exactly the mark is enough."""
    assert table_of(by, pass_mark).loc["ada", "passed"] == passed


@pytest.mark.parametrize("by", ["score", "accuracy"])
def test_a_verdict_is_sure_if_the_whole_interval_agrees(by):
    """Just above the interval, just below it, and within it."""
    low, high = table_of(by).loc["ada", [f"{by}_low", f"{by}_high"]]
    sure = {mark: tuple(table_of(by, mark).loc["ada", ["passed", "is_sure"]]) for mark in (low, high, 0.6)}
    assert sure[low] == ("yes", "yes")
    assert sure[high] == ("no", "no")
    assert sure[0.6] == ("yes", "no")
    assert tuple(table_of(by, high + 1e-9).loc["ada", ["passed", "is_sure"]]) == ("no", "yes")


def test_a_bot_that_has_not_played_neither_passes_nor_fails():
    """Its shares and verdicts are empty and it stands last, whatever the mark."""
    for by in ("score", "accuracy"):
        table = table_of(by, 0)
        assert table.index.tolist()[-1] == "new"
        assert isnan(table.loc["new", by])
        assert table.loc["new", ["games", "graded"]].tolist() == [0, 0]
        assert table.loc["new", ["passed", "is_sure"]].isna().all()


@pytest.mark.parametrize("by", ["score", "accuracy"])
def test_without_any_games_everybody_is_there(by):
    """A tournament that has not begun, or can rank nobody, has a table all the same."""
    table = table_of(by, 0.5, RESULTS[:0].astype(object), GRADES[:0].astype(object))
    assert table.index.tolist() == ["ada", "bea", "new"]
    assert table[["passed", "is_sure"]].isna().all(axis=None)


def test_the_best_come_first():
    """In the order of what they are graded by, then of their names."""
    assert table_of("score").index.tolist() == ["ada", "bea", "new"]
    twins = pd.concat([RESULTS, RESULTS.replace({"bea": "new"})])
    assert table_of("score", results=twins).index.tolist() == ["ada", "bea", "new"]
