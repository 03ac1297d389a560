"""Who passes: shares of games and moves against the bosses, their intervals, and how sure that is."""

from math import isnan, sqrt

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings.passing import COLUMNS, passing, wilson

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
    [("ada", 3, 5), ("ada", 4, 5), ("bea", 0, 2), ("boss", 9, 9)], columns=["bot", "kept", "graded"]
)


def table_of(by="score", pass_mark=0.5, results=RESULTS, grades=GRADES, bosses=("boss",)):
    return passing(results, grades, BOTS, bosses, by, pass_mark).set_index("bot")


def test_the_score_is_over_games_against_bosses():
    """Games of other pairings do not count, sides do not matter, and a repeated opening is one unit."""
    table = table_of()
    assert table.loc["ada", ["games", "score"]].tolist() == [8, 5 / 8]
    assert tuple(table.loc["ada", ["score_low", "score_high"]]) == wilson(5 / 8, 3)
    assert table.loc["bea", ["games", "score"]].tolist() == [4, 0]
    assert tuple(table.loc["bea", ["score_low", "score_high"]]) == wilson(0, 1)
    assert table["version"].to_dict()["ada"] == "1" * 12


def test_the_accuracy_is_over_graded_moves():
    """Kept and graded moves are added up over sides, and the interval counts moves."""
    table = table_of()
    assert table.loc["ada", ["accuracy", "graded"]].tolist() == [0.7, 10]
    assert tuple(table.loc["ada", ["accuracy_low", "accuracy_high"]]) == wilson(0.7, 10)


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


def test_wilsons_interval_is_that_of_his_paper():
    """Its ends are where the share is 1.96 standard errors away, with the error that the end itself has."""
    for share, units in ((0.3, 10), (0.5, 4), (0.95, 200)):
        for end in wilson(share, units):
            assert abs(share - end) == pytest.approx(1.959964 * sqrt(end * (1 - end) / units), rel=1e-5)


@given(st.integers(1, 10**6).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))))
def test_an_interval_holds_its_share_and_lies_between_nothing_and_all(counts):
    """Also at 0 and 1, where rounding would leave a perfect bot just outside its own interval."""
    part, whole = counts
    low, high = wilson(part / whole, whole)
    assert 0 <= low <= part / whole <= high <= 1
