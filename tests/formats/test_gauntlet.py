"""Gauntlet: the named bots against all others, and nothing else."""

from collections import Counter
from itertools import product

import pytest

from arena.formats.gauntlet import next_round
from arena.formats.meeting import Meeting, Pairing, Settings
from tests.formats.simulated import edited, field_of, sheets_of


def pairings(size, named):
    """The pairings of a field of which the first so many are named."""
    field = field_of(size)
    return next_round(field, [], {}, Settings(gauntlet=(*field[:named], "nobody-here")))


@pytest.mark.parametrize("size", range(41))
@pytest.mark.parametrize("named", [0, 1, 2, 3, 8, 20])
def test_each_named_bot_meets_each_other_one_once(size, named):
    """No two named bots meet, no two others do, and every pairing has all sheets."""
    field = field_of(size)
    met = Counter(pairing[:2] for pairing in pairings(size, named))
    assert met == Counter(product(field[:named], field[named:]))
    assert {pairing[2:] for pairing in pairings(size, named)} <= {(0, Settings().sheets)}


@pytest.mark.parametrize(("size", "named"), [(5, 1), (9, 3), (10, 4), (10, 5), (13, 9), (40, 16)])
def test_a_prefix_is_balanced(size, named):
    """However early it is cut off, bots of one side have met as many others, give or take one."""
    field = field_of(size)
    met = Counter(dict.fromkeys(field, 0))
    for pairing in pairings(size, named):
        met.update(pairing[:2])
        for side in (field[:named], field[named:]):
            counts = [met[bot] for bot in side]
            assert max(counts) - min(counts) <= 1


def test_who_comes_later_or_is_edited_meets_the_rest():
    """Only what is missing is played, and then it is over."""
    rules = Settings(sheets=4, gauntlet=("a", "b"))
    first = [[Meeting(*pairing, 1.0) for pairing in next_round(["a", "b", "c"], [], {}, rules)]]
    assert next_round(["a", "b", "c"], first, {}, rules) == []
    joined = next_round(["a", "b", "c", "d"], first, {}, rules)
    assert sorted(joined) == [Pairing("a", "d", 0, 4), Pairing("b", "d", 0, 4)]
    assert next_round(["a", "b", "c"], edited(first, "a"), {}, rules) == [Pairing("a", "c", 0, 4)]
    assert next_round(["b", "c"], first, {}, rules) == []


def test_more_sheets_are_added_to_those_played():
    """A sheet that two bots have met on is not given to them again."""
    rounds = [[Meeting("c", "a", 0, 2, 0.5)]]
    rules = Settings(sheets=5, gauntlet=("a",))
    (pairing,) = next_round(["c", "a"], rounds, {}, rules)
    assert pairing == Pairing("a", "c", 2, 3)
    assert set(sheets_of([*rounds, [Meeting(*pairing, 0.5)]]).values()) == {1}
