"""What is said in the headline, and where charts put their values."""

import pandas as pd
import pytest

from arena.pages.axis import Axis, round_ticks, span
from arena.pages.charts import MOST_IN_HEAT, chart_ledger, chart_lengths, chart_meetings, chart_ratings
from arena.pages.headline import _say_bracket, _say_order, find_places
from arena.standings import OVERALL

DASH = "\N{EN DASH}"


def table(*ratings):
    """Standings of bots a, b, ... with these intervals."""
    rows = [
        {"rank": n + 1, "bot": "abcdef"[n], "rating": (low + high) / 2, "low": low, "high": high}
        for n, (low, high) in enumerate(ratings)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("ratings", "places"),
    [
        ([(1600, 1700), (1400, 1500)], ["1", "2"]),
        ([(1600, 1700), (1500, 1620), (1400, 1550)], ["1-2", "1-3", "2-3"]),
        ([(1600, 1700), (1400, 1500), (1390, 1490), (1200, 1300)], ["1", "2-3", "2-3", "4"]),
    ],
)
def test_a_rank_is_a_range_where_intervals_overlap(ratings, places):
    """From the number of those that are surely better, to the number of those that are not surely worse."""
    assert [place.text.replace(DASH, "-") for place in find_places(table(*ratings), False).values()] == places


def test_a_bracket_decides_ranks_and_bots_without_ratings_keep_theirs():
    """Nothing is a range where nothing is estimated."""
    standings = table((1600, 1700), (1500, 1620), (1400, 1550))
    assert [place.text.replace(DASH, "-") for place in find_places(standings, True).values()] == [
        "1",
        "2",
        "3",
    ]
    standings.loc[2, ["rating", "low", "high"]] = None
    assert [place.text.replace(DASH, "-") for place in find_places(standings, False).values()] == [
        "1-2",
        "1-2",
        "3",
    ]


@pytest.mark.parametrize(
    ("lows", "highs", "said"),
    [
        ([9], [10], "a is alone"),
        ([9, 7], [10, 8], "a is first, b is second"),
        ([9, 6, 5], [10, 8, 7], "a is first; b and c cannot be told apart"),
        ([5, 4, 1], [9, 8, 2], "a leads, but b cannot be told apart from it"),
        ([1] * 9, [9] * 9, "a leads, but b, c, d, e, f and 3 more cannot be told apart from it"),
    ],
)
def test_the_headline_names_who_is_first_and_who_cannot_be_told_apart(lows, highs, said):
    """In words, and no more names than one reads."""
    assert _say_order(list("abcdefghi"[: len(lows)]), lows, highs) == said


def test_nobody_leads_whose_rating_another_has_too():
    """Of two bots with the same rating neither is named as the better one."""
    assert _say_order(["a", "b"], [1, 1], [9, 9], has_leader=False) == "a and b cannot be told apart"


def test_the_headline_of_a_knock_out_names_its_winner_if_there_is_one():
    """It goes on until there is one, or until everybody has left."""
    assert _say_bracket("ann", True) == "ann has won the knock-out"
    assert _say_bracket(None, False) == "The knock-out goes on"
    assert _say_bracket(None, True) == "Nobody has won the knock-out"


def test_a_scale_puts_its_ends_at_the_edges():
    """Linear or by powers of ten; what is outside stands at the edge."""
    assert [Axis(10, 20).at(value) for value in (5, 10, 15, 20, 99)] == [0, 0, 50, 100, 100]
    assert [Axis(0.01, 1, True).at(value) for value in (0, 0.01, 0.1, 1)] == [0, 0, 50, 100]
    assert span([]).low < span([]).high
    assert span([3.0]).at(3.0) == 50
    assert [tick.text for tick in round_ticks(Axis(1380, 1720))] == ["1400", "1500", "1600", "1700"]


def test_charts_of_nothing_are_empty():
    """A run without games has no lines, and breaks nothing."""
    columns = ["bot", "rating", "low", "high"]
    assert chart_ratings(pd.DataFrame(columns=columns)).lines == []
    assert chart_lengths({}).lines == []
    assert chart_meetings(pd.DataFrame({"bot": []})).bots == []


def test_the_parts_of_a_ledger_add_up():
    """Held, taken and thrown away lie side by side, and the rest is what was lost from the start."""
    row = {"bot": "a", "variant": OVERALL, "games": 20, "wins": 9, "won_starts": 10, "held": 0.7}
    row |= {"lost_starts": 10, "taken": 0.2}
    (line,) = chart_ledger(pd.DataFrame([row])).lines
    assert [(bar.kind, bar.at, bar.width, bar.games) for bar in line.drawn] == [
        ("held", 0, 35, 7),
        ("taken", 35, 10, 2),
        ("thrown", 45, 15, 3),
    ]


def test_a_large_crosstable_has_its_first_bots():
    """With a title for each cell, and a word about the others."""
    names = [f"b{number}" for number in range(MOST_IN_HEAT + 3)]
    square = pd.DataFrame("3/4 (2+1)", index=range(len(names)), columns=names)
    square.insert(0, "bot", names)
    heat = chart_meetings(square)
    assert (len(heat.rows), len(heat.rows[0]), heat.left_out, heat.has_numbers) == (MOST_IN_HEAT,) * 2 + (
        3,
        False,
    )
    cell = heat.rows[0][1]
    assert cell is not None
    assert (cell.level, cell.text, cell.title) == (8, "75", "b0 against b1: 3/4 (2+1)")
