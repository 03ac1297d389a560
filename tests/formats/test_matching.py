"""Matching: as many pairs as possible, checked by trying all of them."""

import random
from functools import cache
from itertools import combinations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.matching import complete, releasable, release


def most_pairs(bots, met):
    """How many pairs can be made, by trying everything."""

    @cache
    def most(left):
        if not left:
            return 0
        one, rest = left[0], left[1:]
        paired = (1 + most(tuple(b for b in rest if b != other)) for other in rest if other not in met[one])
        return max([most(rest), *paired])

    return most(tuple(bots))


@st.composite
def histories(draw, most=11):
    """Some bots, whom they have met (few, many or nearly all), and some pairs to begin with."""
    size = draw(st.integers(0, most))
    every_two = list(combinations(range(size), 2))
    density = draw(st.sampled_from([0.2, 0.5, 0.7, 0.8, 0.9]))
    chance = draw(st.randoms(use_true_random=False))
    met = [{bot} for bot in range(size)]
    for one, other in every_two:
        if chance.random() < density:
            met[one].add(other)
            met[other].add(one)
    mate = {}
    for one, other in chance.sample(every_two, len(every_two)):
        if other not in met[one] and one not in mate and other not in mate and chance.random() < 0.5:
            mate |= {one: other, other: one}
    return chance.sample(range(size), size), met, mate


def check(bots, met, mate):
    """Every mate is a mate's mate, and nobody has met his own."""
    for bot, other in mate.items():
        assert mate[other] == bot
        assert other not in met[bot]
        assert bot in bots


@given(histories())
@settings(deadline=None, max_examples=200)
def test_there_are_as_many_pairs_as_can_be(history):
    """Wherever it starts from, a pairing of all is found if there is one, and otherwise a largest one."""
    bots, met, mate = history
    before = set(mate)
    free = complete(bots, met, mate)
    check(bots, met, mate)
    assert sorted([*mate, *free]) == sorted(bots)
    assert len(mate) == 2 * most_pairs(bots, met)
    assert before <= set(mate)  # whoever was paired still is, if with another


@given(histories())
@settings(deadline=None, max_examples=200)
def test_whoever_can_stay_free_is_known_and_can(history):
    """Of a pairing that leaves one bot free, all that could be free instead are found, and none besides."""
    bots, met, mate = history
    free = complete(bots, met, mate)
    if len(free) != 1:
        return
    could = set(releasable(free[0], bots, met, mate))
    assert could == {bot for bot in bots if most_pairs([b for b in bots if b != bot], met) == len(bots) // 2}
    for bot in could:
        other = dict(mate)
        release(bot, free[0], bots, met, other)
        check(bots, met, other)
        assert set(other) == set(bots) - {bot}


@pytest.mark.parametrize("seed", range(20))
def test_in_fields_too_large_to_try_everything_networkx_agrees(seed):
    """Where nearly all have met there are blossoms within blossoms; the pairs are still as many as can be."""
    chance = random.Random(seed)
    for _ in range(20):
        size, degree = chance.choice([12, 20, 30, 60]), chance.choice([1.5, 2, 2.5, 3, 4])
        met = [{bot} for bot in range(size)]
        for one, other in combinations(range(size), 2):
            if chance.random() > degree / size:
                met[one].add(other)
                met[other].add(one)
        mate = {}
        bots = chance.sample(range(size), size)
        complete(bots, met, mate)
        check(bots, met, mate)
        could = networkx.Graph((a, b) for a, b in combinations(bots, 2) if b not in met[a])
        assert len(mate) == 2 * len(networkx.max_weight_matching(could, maxcardinality=True))


def test_a_chain_of_triangles_is_seen_through():
    """Each is linked to the next, and a search that knows no blossoms finds no way through."""
    triangles = 40
    bots = range(3 * triangles)
    met = [set(bots) for _ in bots]
    for number in range(triangles):
        corners = [3 * number, 3 * number + 1, 3 * number + 2]
        links = [*combinations(corners, 2)] + (
            [(corners[2], corners[2] + 1)] if number < triangles - 1 else []
        )
        for one, other in links:
            met[one].discard(other)
            met[other].discard(one)
    # The worst beginning: the outer ends of the chain are free, and all that is between is paired.
    mate = {}
    for one in range(1, 3 * triangles - 1, 2):
        mate |= {one: one + 1, one + 1: one}
    assert complete(bots, met, mate) == []
    check(bots, met, mate)


def test_little_is_changed_and_early_in_the_order():
    """To pair two that have met, one pair is broken: the first in the order that will do."""
    met = [{bot} for bot in range(8)]
    met[6].add(7)
    met[7].add(6)
    mate = {0: 1, 1: 0, 2: 3, 3: 2, 4: 5, 5: 4}
    assert complete(range(7, -1, -1), met, mate) == []
    assert (mate[0], mate[2]) == (1, 3)
