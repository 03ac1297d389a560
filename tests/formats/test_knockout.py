"""Knock-out: one bracket, worked out anew each time, in which who loses is out."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.knockout import MOST_DECIDERS, bracket, next_round, places
from arena.formats.meeting import Meeting, Pairing, Settings
from arena.reports.drawing import drawing
from tests.formats.simulated import by_strength, edited, field_of, meetings_of, play

FOUR = list("abcd")  # a meets d, and b meets c


def rules(drawn=(), sheets=8):
    return Settings(sheets=sheets, drawn=tuple(drawn))


def bracket_of(field, rounds, drawn=None):
    return bracket(drawn or field, rounds, field)


def met(pairings):
    """Who meets whom, as words of two letters."""
    return {"".join(sorted(pairing[:2])) for pairing in pairings}


def lost(rounds):
    """How often each bot lost a meeting."""
    return Counter(m.other if m.score > 0.5 else m.one for m in meetings_of(rounds) if m.score != 0.5)


@pytest.mark.parametrize("size", range(2, 41))
def test_the_winner_is_unbeaten_and_all_others_lose_once(size):
    """Every bot but one loses exactly one meeting, or gives way to the better seed after all deciders."""
    field = field_of(size)
    rounds = play("knock-out", field, by_strength(field, size))
    winner = bracket_of(field, rounds).winner
    assert winner in field
    assert lost(rounds)[winner] == 0
    assert max(lost(rounds).values()) == 1


@pytest.mark.parametrize("size", range(1, 41))
def test_places_are_those_of_a_bracket(size):
    """1, 2, 3, 3, 5, 5, 5, 5 ...: so many as there are bots that lost in the level; and later is better."""
    field = field_of(size)
    rounds = play("knock-out", field, by_strength(field, size + 100))
    found = places(bracket_of(field, rounds))
    assert set(found) == set(field)
    depth = (size - 1).bit_length()
    expected = {1: 1} | {2**level + 1: 2**level for level in range(depth)}
    if depth:
        expected[2 ** (depth - 1) + 1] = size - 2 ** (depth - 1)  # the first level has byes
    assert Counter(found.values()) == Counter(expected)
    for meeting in meetings_of(rounds):
        if meeting.score != 0.5:
            better, worse = (
                (meeting.one, meeting.other) if meeting.score > 0.5 else (meeting.other, meeting.one)
            )
            assert found[better] < found[worse]


@pytest.mark.parametrize("size", range(2, 41))
def test_byes_go_to_the_top_seeds(size):
    """Whom the first level lets through are the first of the tournament file, as many as places are empty."""
    field = field_of(size)
    first = next_round(field, [], {}, rules())
    byes = 2 ** (size - 1).bit_length() - size
    assert {bot for pairing in first for bot in pairing[:2]} == set(field[byes:])


@pytest.mark.parametrize("size", range(2, 41))
def test_if_the_better_seed_always_wins_the_best_meet_last(size):
    """The final is first against second seed, the semi-finals are first to fourth; and so on upwards."""
    field = field_of(size)
    rounds = play("knock-out", field, lambda p: float(field.index(p.one) < field.index(p.other)))
    for number, meetings in enumerate(reversed(rounds)):
        best = field[: 2 ** (number + 1)]
        for meeting in meetings:
            one, other = sorted(field.index(bot) for bot in meeting[:2])
            assert one + other == 2 ** (number + 1) - 1
            assert len(best) < 2 ** (number + 1) or other < len(best)


def test_while_it_is_undecided_all_that_may_win_share_the_first_place():
    """Only who has lost has a place of his own."""
    first = [Meeting("a", "d", 0, 8, 1.0), Meeting("b", "c", 0, 8, 0.5)]
    assert places(bracket_of(FOUR, [])) == {"a": 1, "b": 1, "c": 1, "d": 1}
    assert places(bracket_of(FOUR, [first])) == {"a": 1, "b": 1, "c": 1, "d": 3}


def test_a_drawn_meeting_is_decided_on_the_next_sheets_while_the_others_wait():
    """The round holds deciders only, and they begin where the meeting ended."""
    rounds = [[Meeting("a", "d", 0, 8, 1.0), Meeting("b", "c", 0, 8, 0.5)]]
    for number in range(1, MOST_DECIDERS + 1):
        assert next_round(FOUR, rounds, {}, rules(FOUR)) == [Pairing("b", "c", 8 * number, 8)]
        won = [*rounds, [Meeting("c", "b", 8 * number, 8, 0.75)]]
        assert met(next_round(FOUR, won, {}, rules(FOUR))) == {"ac"}
        rounds = [*rounds, [Meeting("b", "c", 8 * number, 8, 0.5)]]
    assert met(next_round(FOUR, rounds, {}, rules(FOUR))) == {"ab"}  # the better seed, at last


def test_who_has_left_loses_the_next_meeting():
    """Its opponent goes on without playing; what it won before stays won."""
    first = [Meeting("a", "d", 0, 8, 1.0), Meeting("b", "c", 0, 8, 1.0)]
    assert met(next_round(list("bcd"), [], {}, rules(FOUR))) == {"bc"}
    assert bracket("abcd", [first], list("bcd")).winner == "b"
    assert next_round(list("bcd"), [first], {}, rules(FOUR)) == []
    assert places(bracket("abcd", [first], list("bcd"))) == {"b": 1, "a": 2, "c": 3, "d": 3}
    over = [first, [Meeting("a", "b", 0, 8, 1.0)]]
    assert bracket("abcd", over, list("bcd")).winner == "a"


def test_where_both_have_left_nobody_goes_on():
    """Their next opponent is through as well."""
    assert next_round(list("bc"), [], {}, rules(FOUR)) == [Pairing("b", "c", 0, 8)]
    rounds = [[Meeting("b", "c", 0, 8, 0.25)]]
    assert bracket("abcd", rounds, list("bc")).winner == "c"
    assert places(bracket("abcd", rounds, list("bc"))) == {"c": 1, "a": 3, "d": 3, "b": 3}
    assert bracket("abcd", [], []).winner is None


def test_who_comes_back_after_its_opponent_has_gone_on_is_out():
    """A result of a later level is never undone."""
    eight = list("abcdefgh")
    without = [bot for bot in eight if bot != "h"]
    first = [Meeting(*pairing, 1.0) for pairing in next_round(without, [], {}, rules(eight))]
    second = [Meeting(*pairing, 1.0) for pairing in next_round(without, [first], {}, rules(eight))]
    assert "a" in {bot for meeting in second for bot in meeting[:2]}
    assert met(next_round(eight, [first, second], {}, rules(eight))) == {"ab"}


def test_a_meeting_that_is_possible_again_waits_for_the_deciders():
    """A round with deciders has nothing else in it."""
    rounds = [[Meeting("b", "c", 0, 8, 0.5)]]  # d was away, and is back
    assert next_round(FOUR, rounds, {}, rules(FOUR)) == [Pairing("b", "c", 8, 8)]
    rounds.append([Meeting("b", "c", 8, 8, 1.0)])
    assert next_round(FOUR, rounds, {}, rules(FOUR)) == [Pairing("a", "d", 0, 8)]


def test_who_comes_after_the_draw_is_not_in_it():
    """Neither in the bracket nor among the places."""
    rounds = [[Meeting("a", "d", 0, 8, 1.0), Meeting("b", "c", 0, 8, 1.0)]]
    field = ["new", *FOUR]
    assert met(next_round(field, rounds, {}, rules(FOUR))) == {"ab"}
    assert "new" not in places(bracket("abcd", rounds, field))
    assert next_round(["a", "new"], [], {}, rules("a")) == []


def test_an_edited_bot_keeps_its_place():
    """What its old version won is its own here, and what it drew is decided by the new one."""
    rounds = [[Meeting("a", "d", 0, 8, 1.0), Meeting("b", "c", 0, 8, 0.5)]]
    for bot in FOUR:
        assert next_round(FOUR, edited(rounds, bot), {}, rules(FOUR)) == [Pairing("b", "c", 8, 8)]
        assert places(bracket("abcd", edited(rounds, bot), FOUR)) == {"a": 1, "b": 1, "c": 1, "d": 3}


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_places_and_drawings_agree_with_what_was_played(data):
    """Whatever the scores and whoever leaves: one winner at most, nobody beaten goes on, all are drawn."""
    drawn = field_of(data.draw(st.integers(0, 12)))
    field, rounds = drawn, []
    while pairings := next_round(field, rounds, {}, rules(drawn)):
        out = {bot for bot, place in places(bracket(drawn, rounds, field)).items() if place > 1}
        assert not out & {bot for pairing in pairings for bot in pairing[:2]}
        scores = st.sampled_from([0.0, 0.5, 0.5, 1.0])
        rounds = [*rounds, [Meeting(*pairing, data.draw(scores)) for pairing in pairings]]
        leaving = data.draw(st.sets(st.sampled_from(drawn), max_size=2))
        field = [bot for bot in field if bot not in leaving]
    tree = bracket(drawn, rounds, field)
    first = [bot for bot, place in places(tree).items() if place == 1]
    if len(field) > 1 or not drawn:
        assert first == ([tree.winner] if tree.winner else [])
    text = drawing(tree)
    assert all(bot in text for bot in drawn)
    assert all(line == line.rstrip() for line in text.split("\n"))
