"""Ladder: meetings go where ratings are least certain, and it ends."""

from collections import Counter
from itertools import combinations
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.ladder import ENOUGH, OLDER, UNKNOWN, next_round, say_what_lacks
from arena.formats.meeting import Meeting, Rating, Settings
from arena.standings.scale import POINTS
from tests.formats.simulated import by_strength, edited, field_of, meetings_of, play, rating, sheets_of


def bots_of(pairing):
    return frozenset(pairing[:2])


def value(one, other, times):
    """How much a meeting tells, written down plainly."""
    p = 1 / (1 + exp(-(one.rating - other.rating) / POINTS))
    return p * (1 - p) * ((one.high - one.low) ** 2 + (other.high - other.low) ** 2) / (1 + times)


@pytest.mark.parametrize("size", range(2, 41, 3))
def test_it_plays_at_most_the_round_robin_and_ends_when_all_are_certain(size):
    """No two bots meet on more sheets than they have, and who is uncertain at the end has met everybody."""
    field = field_of(size)
    rules = Settings(sheets=2, interval_points=120)
    rounds = play("ladder", field, by_strength(field, size), rules)
    sheets = sheets_of(rounds)
    assert set(sheets.values()) == {1}
    assert {sheet for _, sheet in sheets} <= {0, 1}
    assert all(meeting.sheets == 1 for meeting in meetings_of(rounds))
    played = Counter(bot for meeting in meetings_of(rounds) for bot in meeting[:2])
    for bot in field:
        is_certain = 600 / played[bot] ** 0.5 <= 120
        assert is_certain or played[bot] == 2 * (size - 1)


@pytest.mark.parametrize("size", [2, 5, 8, 13])
def test_a_ladder_that_is_never_certain_becomes_a_round_robin(size):
    """Then every two bots have met on every sheet exactly once."""
    field = field_of(size)
    rounds = play("ladder", field, by_strength(field, 1), Settings(sheets=3, interval_points=0))
    expected = {(frozenset(two), sheet) for two in combinations(field, 2) for sheet in range(3)}
    assert set(sheets_of(rounds)) == expected
    assert len(meetings_of(rounds)) == len(expected)


@pytest.mark.parametrize("size", range(2, 41))
def test_before_there_are_ratings_everyone_meets_somebody(size):
    """By lot: the seed decides, and neither the alphabet nor the order of the field."""
    field = field_of(size)
    found = next_round(field, [], {}, Settings())
    assert len(found) == size // 2
    assert next_round(sorted(field), [], {}, Settings()) == found
    if size > 4:
        assert set(map(bots_of, next_round(field, [], {}, Settings(seed=2)))) != set(map(bots_of, found))


def test_nothing_is_played_for_those_that_are_certain():
    """A bot that is not certain enough gets an opponent, certain or not; two certain ones do not meet."""
    ratings = {bot: rating(1500, 80) for bot in "abcd"} | {"e": rating(1500, 101)}
    assert [pairing.one for pairing in next_round(list("abcde"), [], ratings, Settings())] == ["e"]
    assert next_round(list("abcd"), [], ratings, Settings()) == []
    assert len(next_round(list("abcd"), [], ratings, Settings(interval_points=79))) == 2


def test_a_bot_without_a_rating_comes_first_whether_new_or_edited():
    """It is thought to be average and very uncertain."""
    ratings = {bot: rating(1450 + 10 * place, 90) for place, bot in enumerate("abcdefgh")}
    rounds = [[Meeting("a", "b", 0, 1, 0.5)], [Meeting("a", "c", 1, 1, 0.5)]]
    (pairing,) = next_round([*"abcdefgh", "new"], rounds, ratings, Settings())
    assert pairing.one == "new"
    assert pairing.other in "ef"  # who are nearest to 1500
    del ratings["a"]
    (pairing,) = next_round(list("abcdefgh"), edited(rounds, "a"), ratings, Settings(sheets=2))
    assert (pairing.one, pairing.start) == ("a", 0)


def test_two_bots_go_on_where_they_stopped_and_stop_at_the_last_sheet():
    """They meet once on every sheet, whoever was named first."""
    ratings = {bot: rating(1500, 400) for bot in "ab"}
    rounds = []
    for start in range(3):
        (pairing,) = next_round(["a", "b"], rounds, ratings, Settings(sheets=3))
        assert pairing[2:] == (start, 1)
        one, other = ("a", "b") if start % 2 else ("b", "a")
        rounds.append([Meeting(one, other, start, 1, 0.5)])
    assert next_round(["a", "b"], rounds, ratings, Settings(sheets=3)) == []


SOME_RATINGS = st.lists(
    st.none() | st.tuples(st.integers(800, 2200), st.sampled_from([60, 99, 120, 300, 301, 500])),
    min_size=2,
    max_size=9,
)


@given(SOME_RATINGS, st.booleans(), st.data())
@settings(deadline=None, max_examples=300)
def test_each_takes_the_opponent_that_tells_most(known, is_older, data):
    """From the least certain on, nobody among those left would tell more: as if all had been compared."""
    field = field_of(len(known))
    ratings = {bot: rating(*numbers) for bot, numbers in zip(field, known, strict=True) if numbers}
    every_two = list(combinations(field, 2))
    times = {frozenset(two): data.draw(st.integers(0, 3)) for two in every_two}
    rounds = [
        [Meeting(*two, 0, times[frozenset(two)], 0.5) for two in every_two],
        [],
    ]  # the next one is no lot
    left = set(field)
    widths = {bot: ratings.get(bot, UNKNOWN).high - ratings.get(bot, UNKNOWN).low for bot in field}
    found = next_round(field, rounds, ratings, Settings(sheets=3, is_older=is_older))
    for one, other, start, _ in found:
        told = {
            bot: value(ratings.get(one, UNKNOWN), ratings.get(bot, UNKNOWN), times[frozenset((one, bot))])
            for bot in left - {one}
            if times[frozenset((one, bot))] < 3
        }
        assert told[other] == pytest.approx(max(told.values()))
        assert start == (times[frozenset((one, other))] if is_older else 2)
        left -= {one, other}
    firsts = [widths[pairing.one] for pairing in found]
    assert firsts == sorted(firsts, reverse=True)
    waiting = [bot for bot in left if widths[bot] > 100]
    assert not any(times[frozenset((bot, other))] < 3 for bot in waiting for other in left - {bot})


def test_every_second_round_is_drawn_by_lot():
    """Whatever is known of strengths, opponents are those met least; another round or seed draws others."""
    field = field_of(30)
    ratings = {bot: rating(1000 + 30 * place, 300 + place) for place, bot in enumerate(field)}

    def drawn(number, seed=1, **older):
        pairings = next_round(field, [[]] * number, ratings, Settings(seed=seed, **older))
        assert len(pairings) == 15
        return set(map(bots_of, pairings))

    assert drawn(0) == drawn(2) == drawn(1, is_older=True)
    assert len({frozenset(drawn(*which)) for which in ((0,), (1,), (3,), (1, 2))}) == 4
    gaps = [abs(ratings[one].rating - ratings[other].rating) for one, other in map(tuple, drawn(1))]
    assert max(gaps) > 400
    met = [[Meeting(field[-1], other, 0, 1, 0.5) for other in field[1:-1]]]
    assert bots_of(next_round(field, met, ratings, Settings())[0]) == {field[0], field[-1]}


def test_a_bot_soon_has_many_openings():
    """Each round goes on to the next sheet; an older folder stays on the first as long as opponents are new."""
    field = field_of(20)
    rules = Settings(sheets=8, interval_points=150)
    rounds = play("ladder", field, by_strength(field, 1), rules)[:8]
    assert [{meeting.start for meeting in meetings} for meetings in rounds] == [{n} for n in range(8)]
    older = play("ladder", field, by_strength(field, 1), rules._replace(is_older=True))
    starts = Counter()
    for meeting in meetings_of(older):
        assert meeting.start == starts[bots_of(meeting)]
        starts[bots_of(meeting)] += 1
    assert {meeting.start for meeting in meetings_of(older[:4])} == {0}


def test_a_ladder_says_what_its_intervals_lack():
    """Whose are too wide, and that those of an older folder are too narrow."""
    known = {"a": rating(1500, 90), "b": rating(1500, 1234)}
    (wide,) = say_what_lacks(Settings(), known)
    assert wide.startswith("not within 100 points: b (1,234); ")
    assert say_what_lacks(Settings(is_older=True), known) == [wide, OLDER]
    assert say_what_lacks(Settings(interval_points=1234), known) == []


def test_meetings_reach_across_the_field():
    """Neighbours alone would make a chain, whose ends nobody could compare; here all are a few steps apart."""
    field = field_of(40)
    rounds = play("ladder", field, by_strength(field, 3), Settings(interval_points=120))
    met = {bot: {bot} for bot in field}
    for one, other, *_ in meetings_of(rounds):
        met[one].add(other)
        met[other].add(one)
    within_three = {bot: {c for a in met[bot] for b in met[a] for c in met[b]} for bot in field}
    assert all(reached == set(field) for reached in within_three.values())


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_who_lost_or_won_everything_is_not_pursued(score):
    """More of the same would not make its interval narrower; others may still choose it."""
    field = [f"bot-{number}" for number in range(40)]
    rounds = [[Meeting("bot-0", f"bot-{number}", 0, 1, score)] for number in range(1, ENOUGH + 1)]
    ratings = {bot: Rating(1500.0, 1490.0, 1510.0) for bot in field} | {"bot-0": Rating(900.0, 100.0, 1700.0)}
    asked = Settings(interval_points=100.0)
    assert next_round(field, rounds, ratings, asked) == []
    assert next_round(field, rounds[1:], ratings, asked) != []
    mixed = [[Meeting("bot-0", "bot-1", 0, 1, 0.5)], *rounds[1:]]
    assert next_round(field, mixed, ratings, asked) != []
