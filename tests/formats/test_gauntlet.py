"""Gauntlet: the named bots against all others, and nothing else."""

from collections import Counter
from itertools import product

import pytest

from arena.formats.gauntlet import next_round
from arena.formats.meeting import Meeting, Settings
from tests.formats.simulated import SIZES, field_of


def pairings(size, named):
    """The pairings of a field of which the first so many are named."""
    field = field_of(size)
    return next_round(field, [], {}, Settings(gauntlet=(*field[:named], "nobody-here")))


@pytest.mark.parametrize("size", SIZES)
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


def test_it_is_over_after_one_round():
    """Whoever comes later is in the one round of a new plan."""
    rules = Settings(sheets=4, gauntlet=("a",))
    played = [[Meeting(*pairing, 1.0) for pairing in next_round(["a", "b"], [], {}, rules)]]
    assert played == [[Meeting("a", "b", 0, 4, 1.0)]]
    assert next_round(["a", "b", "c"], played, {}, rules) == []
