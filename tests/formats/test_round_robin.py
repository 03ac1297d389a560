"""Round robin: every two meet once, and early turns are as good as late ones."""

from collections import Counter
from itertools import combinations

import pytest

from arena.formats.meeting import Meeting, Pairing, Settings
from arena.formats.round_robin import next_round


def pairings(size):
    """The pairings of a field of some size."""
    return next_round([f"bot-{number}" for number in range(size)], [], {}, Settings())


@pytest.mark.parametrize("size", range(41))
def test_every_two_bots_meet_exactly_once(size):
    """Whatever the size of the field, odd or even, and nobody meets himself; all sheets at once."""
    met = Counter(frozenset(pairing[:2]) for pairing in pairings(size))
    field = [f"bot-{number}" for number in range(size)]
    assert met == Counter(frozenset(pair) for pair in combinations(field, 2))
    assert {pairing[2:] for pairing in pairings(size)} <= {(0, Settings().sheets)}


@pytest.mark.parametrize("size", range(2, 41))
def test_a_prefix_is_balanced(size):
    """However early it is cut off, no bot has met more than two others more than another has."""
    met = Counter({f"bot-{number}": 0 for number in range(size)})
    for pairing in pairings(size):
        met.update(pairing[:2])
        assert max(met.values()) - min(met.values()) <= 2


def test_it_is_over_after_one_round():
    """All pairings are in the first round."""
    assert next_round(["a", "b"], [], {}, Settings(sheets=3)) == [Pairing("a", "b", 0, 3)]
    assert next_round(["a", "b"], [[Meeting("a", "b", 0, 3, 0.5)]], {}, Settings(sheets=3)) == []
