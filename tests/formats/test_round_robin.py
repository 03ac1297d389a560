"""Round robin: every two meet once, and early turns are as good as late ones."""

from collections import Counter
from itertools import combinations

import pytest

from arena.formats import FORMATS
from arena.formats.round_robin import pairings


@pytest.mark.parametrize("size", range(41))
def test_every_two_bots_meet_exactly_once(size):
    """Whatever the size of the field, odd or even, and nobody meets himself."""
    field = [f"bot-{number}" for number in range(size)]
    met = Counter(frozenset(pair) for pair in pairings(field))
    assert met == Counter(frozenset(pair) for pair in combinations(field, 2))


@pytest.mark.parametrize("size", range(2, 41))
def test_a_prefix_is_balanced(size):
    """However early it is cut off, no bot has met more than two others more than another has."""
    field = [f"bot-{number}" for number in range(size)]
    met = Counter(dict.fromkeys(field, 0))
    for pair in pairings(field):
        met.update(pair)
        assert max(met.values()) - min(met.values()) <= 2


def test_every_format_is_in_the_table():
    """The dict names the modules of the folder."""
    assert set(FORMATS) == {"round-robin"}
