"""Cycles: who surely beats whom in a circle, and nobody by chance."""

from itertools import permutations

import networkx
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.standings.cycles import cycles

COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]


def results_of(scores):
    """Results of which each says how many of its units the first bot won twice and how many were split."""
    rows = []
    for (first, second), (won, split, lost) in scores.items():
        for opening in range(won + split + lost):
            both = 2 if opening < won else 1 if opening < won + split else 0
            rows += [("line", opening, first, second, 0, int(both > 0), 1)]
            rows += [("line", opening, second, first, 0, int(both < 2), 1)]
    return pd.DataFrame(rows, columns=COLUMNS)


def arrows(*pairs, units=8):
    """Results in which each first bot surely beats the second."""
    return results_of({tuple(pair): (units, 0, 0) for pair in pairs})


def test_stone_scissors_paper():
    """Three bots in a circle are told, from the first by name on, each with the one it beats after it."""
    assert cycles(arrows("ba", "ac", "cb")) == [("a", "c", "b")]


def test_an_order_has_no_cycle():
    """Where the better bot always wins there is nothing to tell, and nothing without games either."""
    assert cycles(arrows("ab", "ac", "bc", "bd", "cd")) == []
    assert cycles(results_of({})) == []


@pytest.mark.parametrize(
    ("score", "is_sure"),
    [
        *[((8, 0, 0), True), ((4, 0, 0), True), ((3, 0, 0), False), ((2, 0, 0), False)],
        *[((60, 0, 40), True), ((59, 0, 41), False), ((20, 80, 0), True), ((19, 81, 0), False)],
        ((0, 100, 0), False),
    ],
)
def test_only_sure_wins_count(score, is_sure):
    """8 of 8 units are sure and 2 of 2 are not: Wilson's interval for the mean score must lie above a half."""
    assert is_sure == (wilson_low(score) > 0.5)
    results = pd.concat([arrows("ab", "bc"), results_of({("c", "a"): score})])
    assert bool(cycles(results)) == is_sure


def wilson_low(score):
    """The lower end of Wilson's 95 % interval, as textbooks write it."""
    n, z = sum(score), 1.959964
    mean = (score[0] + score[1] / 2) / n
    spread = z * (mean * (1 - mean) / n + z**2 / (4 * n**2)) ** 0.5
    return (mean + z**2 / (2 * n) - spread) / (1 + z**2 / n)


def test_repeats_make_nothing_surer():
    """Two units won a hundred times over are two units."""
    once = results_of({("a", "b"): (8, 0, 0), ("b", "c"): (8, 0, 0), ("c", "a"): (2, 0, 0)})
    assert cycles(once.assign(wins=100 * once["wins"], games=100 * once["games"])) == []


def test_units_of_all_variants_count_together():
    """Three units on one variant and three on another are sure together, and not alone."""
    half = results_of({("a", "b"): (3, 0, 0), ("b", "c"): (3, 0, 0), ("c", "a"): (3, 0, 0)})
    assert cycles(half) == []
    assert cycles(pd.concat([half, half.assign(variant="grid")])) == [("a", "b", "c")]


def test_of_each_part_a_shortest_cycle_is_told_and_longer_ones_first():
    """A circle of four with an arrow that closes three is told as three; parts stand apart."""
    four, chord = ["ab", "bc", "cd", "da"], ["ca"]
    apart = ["pq", "qr", "rs", "st", "tp"]
    assert cycles(arrows(*four)) == [("a", "b", "c", "d")]
    assert cycles(arrows(*four, *chord)) == [("a", "b", "c")]
    assert cycles(arrows(*four, "cx", "xb")) == [("b", "c", "x")]
    assert cycles(arrows(*four, *apart, "dp", "xa", "ty")) == [
        ("p", "q", "r", "s", "t"),
        ("a", "b", "c", "d"),
    ]
    assert cycles(arrows("xy", "yz", "zx", "ab", "bc", "ca", "ax")) == [("a", "b", "c"), ("x", "y", "z")]


def test_a_long_circle_needs_no_deep_recursion():
    """Twelve hundred bots, each of which beats the next."""
    names = [f"bot-{number:04}" for number in range(1200)]
    ring = list(zip(names, [*names[1:], names[0]], strict=True))
    assert cycles(arrows(*ring, units=4)) == [tuple(names)]


NAMES = "abcdefghijkl"
GRAPHS = st.lists(st.sampled_from(list(permutations(NAMES, 2))), max_size=40)


@given(GRAPHS)
@settings(deadline=None, max_examples=80)
def test_cycles_agree_with_networkx(pairs):
    """Every part of bots that reach each other is told once, by a cycle than which none is shorter."""
    beats = {tuple(sorted(pair)): pair for pair in pairs}.values()
    found = cycles(arrows(*beats))
    assert found == sorted(found, key=lambda cycle: (-len(cycle), cycle))
    graph = networkx.DiGraph(beats)
    parts = [part for part in networkx.strongly_connected_components(graph) if len(part) > 1]
    assert len(found) == len(parts)
    for cycle in found:
        assert cycle[0] == min(cycle)
        assert set(zip(cycle, [*cycle[1:], cycle[0]], strict=True)) <= set(beats)
        part = next(part for part in parts if set(cycle) <= part)
        back = dict(networkx.all_pairs_shortest_path_length(graph.subgraph(part)))
        assert len(cycle) == min(1 + back[loser][winner] for winner, loser in graph.subgraph(part).edges)


@given(GRAPHS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=30)
def test_the_order_of_results_does_not_matter(pairs, chance):
    """The same games in another order have the same cycles."""
    results = arrows(*{tuple(sorted(pair)): pair for pair in pairs}.values())
    rows = list(range(len(results)))
    chance.shuffle(rows)
    assert cycles(results) == cycles(results.iloc[rows])
