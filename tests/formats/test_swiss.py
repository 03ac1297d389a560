"""Swiss: nobody meets anybody twice, equals meet equals, and byes go round."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.lots import lot
from arena.formats.meeting import Meeting, Settings
from arena.formats.swiss import next_round, rounds_of
from tests.formats.simulated import by_strength, edited, field_of, meetings_of, play, rating

MANY = Settings(rounds=99)


def pairs(pairings):
    """Who meets whom, as sets."""
    return {frozenset(pairing[:2]) for pairing in pairings}


def seated(pairings):
    """Everyone who meets somebody."""
    return {bot for pairing in pairings for bot in pairing[:2]}


def a_round(*results):
    """A round from triples: one, other, score."""
    return [Meeting(one, other, 0, 8, score) for one, other, score in results]


def order_by_lot(field):
    """The table before the first round."""
    return sorted(field, key=lambda bot: lot(Settings().seed, bot))


SIZES = pytest.mark.parametrize(
    "size",
    [pytest.param(size, marks=pytest.mark.long if size % 3 and size > 12 else ()) for size in range(2, 41)],
)


@SIZES
def test_no_two_bots_ever_meet_again(size):
    """Played for as long as it goes, no meeting is repeated, and every one has all sheets."""
    field = field_of(size)
    rounds = play("swiss", field, by_strength(field, size), MANY)
    met = Counter(frozenset(meeting[:2]) for meeting in meetings_of(rounds))
    assert set(met.values()) == {1}
    assert {meeting[2:4] for meeting in meetings_of(rounds)} == {(0, MANY.sheets)}
    assert len(rounds) >= min(size // 2, rounds_of(size, 99))  # as many there always are


@SIZES
def test_in_every_round_all_play_but_one_of_an_odd_field(size):
    """Nobody is left over while there is a round."""
    field = field_of(size)
    for meetings in play("swiss", field, by_strength(field, size), MANY):
        assert len(meetings) == size // 2


@pytest.mark.parametrize(
    ("size", "rounds"),
    [(2, 1), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5), (16, 5), (17, 6), (1000, 11), (1024, 11)],
)
def test_there_is_a_round_more_than_a_knock_out_has(size, rounds):
    """By default, where there are as many: an even field has one round less than bots, an odd one as many."""
    assert rounds_of(size) == rounds
    assert rounds_of(size, 2) == min(2, rounds)
    assert rounds_of(size, 99_999) == size - 1 + size % 2


def test_in_the_first_round_the_upper_half_meets_the_lower():
    """The order is drawn by lot, in which the alphabet has no part and the seed decides."""
    field = field_of(10)
    table = order_by_lot(field)
    expected = {frozenset((table[place], table[place + 5])) for place in range(5)}
    assert pairs(next_round(field, [], {}, Settings())) == expected
    assert pairs(next_round(sorted(field), [], {}, Settings())) == expected
    assert pairs(next_round(field, [], {}, Settings(seed=1))) != expected


def test_equals_meet_by_rating_upper_half_against_lower():
    """Winners meet winners and losers losers, and ratings make the halves."""
    field = list("abcdefgh")
    rounds = [a_round(*((one, other, 1.0) for one, other in zip("abcd", "efgh", strict=True)))]
    ratings = {bot: rating(2000 - 10 * place, 1) for place, bot in enumerate(field)}
    assert pairs(next_round(field, rounds, ratings, Settings())) == {
        frozenset(two) for two in ("ac", "bd", "eg", "fh")
    }


def test_a_drawn_meeting_is_half_a_point_for_both():
    """Those who drew stand between winners and losers."""
    rounds = [a_round(("a", "b", 0.75), ("c", "d", 0.5), ("e", "f", 0.5), ("g", "h", 0.25))]
    found = pairs(next_round(list("abcdefgh"), rounds, {}, Settings()))
    assert frozenset("ah") in found
    assert frozenset("bg") in found


@pytest.mark.parametrize(("floated", "together"), [("c", "ac"), ("b", "ab")])
def test_the_last_of_an_odd_group_floats_down_unless_it_has_just_done_so(floated, together):
    """Of three leaders the last meets one of the next group; if it did the last time it is another's turn."""
    field = list("abcdefghijkl")
    ratings = {bot: rating(2000 - 10 * place, 1) for place, bot in enumerate(field)}
    other = {"b": "c", "c": "b"}[floated]
    rounds = [
        a_round(*((one, other, 1.0) for one, other in zip("abcdef", "ghijkl", strict=True))),
        # a, b and c win again; one of them against g, who has no point, the others against equals.
        a_round(("a", "d", 1.0), (other, "e", 1.0), (floated, "g", 1.0), ("f", "j", 0.5)),
    ]
    found = pairs(next_round(field, rounds, ratings, Settings(rounds=5)))
    assert frozenset(together) in found


def perfect(bots, met):
    """Whether all bots can be paired without a repeat, by trying everything."""

    @cache
    def can(left):
        if not left:
            return True
        return any(
            can(tuple(bot for bot in left[1:] if bot != other))
            for other in left[1:]
            if frozenset((left[0], other)) not in met
        )

    return len(bots) % 2 == 0 and can(tuple(bots))


@st.composite
def histories(draw):
    """A field, and rounds that need not be Swiss: any bots met any others, with any scores."""
    field = field_of(draw(st.integers(2, 8)))
    rounds = []
    for _ in range(draw(st.integers(0, 7))):
        bots = draw(st.permutations(field))
        playing = bots[: 2 * draw(st.integers(1, len(bots) // 2))]
        scores = [draw(st.sampled_from([0.0, 0.5, 1.0])) for _ in playing[::2]]
        rounds.append(a_round(*zip(playing[::2], playing[1::2], scores, strict=True)))
    return field, rounds


@st.composite
def camps(draw):
    """A field of two camps that have met all of each other, or nearly, and otherwise bots that have left."""
    field = draw(st.permutations(field_of(draw(st.sampled_from([3, 5, 6, 7, 9])))))
    size = draw(st.integers(1, len(field) // 2))
    few, many = field[:size], field[size:]
    rounds = []
    for turn in range(len(many) - draw(st.integers(0, 1))):
        crossed = list(zip(few, many[turn % len(many) :] + many[: turn % len(many)], strict=False))
        rest = [(bot, f"gone-{bot}-{turn}") for bot in field if bot not in sum(crossed, ())]
        absent = draw(st.integers(0, 1))
        scores = st.sampled_from([0.0, 0.5, 1.0])
        rounds.append(a_round(*((*two, draw(scores)) for two in (crossed + rest)[absent:])))
    return field, rounds


def naive_table(field, rounds, drawn, seed):
    """Bots in order, with their byes: counted round by round."""
    rows = []
    for bot in field:
        points, byes = 0.0, 0
        is_here = bot in drawn
        for meetings in rounds:
            scores = [m.score if m.one == bot else 1 - m.score for m in meetings if bot in m[:2]]
            is_here = is_here or bool(scores)
            points += {0.0: 0, 0.5: 0.5, 1.0: 1}[scores[0]] if scores else 1 if is_here else 0.5
            byes += is_here and not scores
        rows.append((-points, lot(seed, bot), bot, byes, not is_here))
    return sorted(rows)


@given(histories() | camps(), st.booleans())
@settings(deadline=None, max_examples=250)
def test_a_round_is_found_if_there_is_one_and_the_fairest_bye_is_given(history, is_drawn):
    """Over exactly if no pairing without repeats is left. Who sits out is, of all whose bye leaves a pairing of
    the rest, one that is not new, then with the fewest byes, then the last in the table."""
    field, rounds = history
    drawn = tuple(field) if is_drawn else ()
    if len(rounds) >= rounds_of(len(field), 99):
        return
    found = next_round(field, rounds, {}, MANY._replace(drawn=drawn))
    met = {frozenset(meeting[:2]) for meeting in meetings_of(rounds)}
    assert not pairs(found) & met
    if len(field) % 2 == 0:
        assert bool(found) == perfect(field, met)
        return
    table = naive_table(field, rounds, drawn, MANY.seed)
    in_line = sorted(enumerate(table), key=lambda item: (item[1][4], item[1][3], -item[0]))
    possible = [row[2] for _, row in in_line if perfect([bot for bot in field if bot != row[2]], met)]
    assert set(field) - seated(found) == ({possible[0]} if possible else set(field))


@given(histories())
@settings(deadline=None, max_examples=200)
def test_bots_meet_within_their_group_where_all_can(history):
    """If every group is even and can be paired by itself, nobody meets a bot with other points."""
    field, rounds = history
    drawn = tuple(field)
    if len(rounds) >= rounds_of(len(field), 99):
        return
    met = {frozenset(meeting[:2]) for meeting in meetings_of(rounds)}
    points = {row[2]: row[0] for row in naive_table(field, rounds, drawn, MANY.seed)}
    groups = [[bot for bot in field if points[bot] == value] for value in set(points.values())]
    if all(perfect(group, met) for group in groups):
        for one, other, *_ in next_round(field, rounds, {}, MANY._replace(drawn=drawn)):
            assert points[one] == points[other]


@pytest.mark.parametrize("size", range(3, 41, 2))
def test_nobody_sits_out_twice_before_all_have(size):
    """In half as many rounds as bots, which can be paired whoever sits out, no bot of an odd field has two byes."""
    field = field_of(size)
    rounds = play("swiss", field, by_strength(field, size), Settings(rounds=size // 2))
    byes = Counter(bot for meetings in rounds for bot in field if bot not in seated(meetings))
    assert max(byes.values()) == 1
    assert sum(byes.values()) == len(rounds)


@pytest.mark.parametrize(("better", "worse"), ["de", "ed"])
def test_the_next_in_line_sits_out_where_the_first_cannot(better, worse):
    """Only a and b may still meet each other, and c may meet d or e: so d or e must sit out, not a or b."""
    rounds = [
        a_round(("a", "c", 0.0), ("b", "d", 0.0)),
        a_round(("a", "d", 0.0), ("b", "e", 0.0)),
        a_round(("a", "e", 0.0), ("b", "c", 0.0)),
        a_round((better, worse, 1.0)),
    ]
    found = next_round(list("abcde"), rounds, {}, MANY._replace(drawn=tuple("abcde")))
    assert pairs(found) == {frozenset("ab"), frozenset(("c", better))}


def test_sitting_out_gives_a_point():
    """The bye of the first round counts, although nobody has met that bot yet: it was drawn."""
    field = list("abcde")
    first = next_round(field, [], {}, Settings())
    (spare,) = set(field) - seated(first)
    assert spare == order_by_lot(field)[-1]
    rounds = [[Meeting(*pairing, 1.0) for pairing in first]]
    winners = {pairing.one for pairing in first}
    with_points = next_round(field, rounds, {}, Settings(drawn=tuple(field)))
    assert sum(len({*pairing[:2]} & {spare, *winners}) == 2 for pairing in with_points) == 1
    assert spare in seated(with_points)


def test_a_newcomer_meets_the_middle_and_does_not_sit_out():
    """It has half a point for the round that it missed, meets one of the losers, and another bot sits out."""
    field = list("abcd")
    rounds = [a_round(("a", "b", 1.0), ("c", "d", 1.0))]
    later = next_round([*field, "new"], rounds, {}, Settings(drawn=tuple(field)))
    assert pairs(later) & {frozenset("ac")}
    assert "new" in seated(later)
    assert {"b", "d"} - seated(later)


def test_an_edited_bot_is_new_and_may_meet_its_opponents_again():
    """What its old version played is not its own; the points of those it met stay."""
    field = list("abcdef")
    rounds = edited([a_round(("a", "b", 1.0), ("c", "d", 1.0), ("e", "f", 1.0))], "b")
    ratings = {bot: rating(1490 - 10 * place, 1) for place, bot in enumerate("acedf")}
    found = pairs(next_round(field, rounds, ratings, Settings(drawn=tuple(field))))
    assert found == {frozenset(two) for two in ("ac", "be", "df")}  # b has half a point, between both groups
    # a has beaten everyone, and all others lost to bots that have left: nobody is left for a but a new b.
    turns = ["ab vc wd xe", "ac vb wd xe", "ad vb wc xe", "ae vb wc xd"]
    rounds = [a_round(*((*two, 1.0) for two in turn.split())) for turn in turns]
    assert "a" not in seated(next_round(list("abcde"), rounds, {}, MANY))
    assert frozenset("ab") in pairs(next_round(list("abcde"), edited(rounds, "b"), {}, MANY))


def test_whoever_leaves_is_nobodys_partner():
    """The rest goes on, with the points that it has, also against bots that have left."""
    rounds = [a_round(("a", "b", 1.0), ("c", "d", 1.0), ("e", "f", 1.0), ("g", "h", 1.0))]
    found = next_round(list("acegbd"), rounds, {}, Settings(drawn=tuple("abcdefgh")))
    assert seated(found) == set("acegbd")
    assert frozenset("bd") in pairs(found)


def test_every_two_meetings_of_a_large_field_are_different():
    """A thousand bots with one score group after another, for thirty rounds."""
    field = [f"bot-{number}" for number in range(1001)]
    score = by_strength(field, 5)
    met = set()
    rounds = []
    for _ in range(30):
        found = next_round(field, rounds, {}, Settings(rounds=30, drawn=tuple(field)))
        assert len(found) == 500
        assert not pairs(found) & met
        met |= pairs(found)
        rounds.append([Meeting(*pairing, score(pairing)) for pairing in found])
    assert len(met) == 15_000
