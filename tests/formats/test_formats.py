"""What every format keeps to, whatever happens in it."""

import pkgutil
import random
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import formats
from arena.formats import FORMATS
from arena.formats.meeting import Meeting, Settings
from tests.formats.simulated import (
    SIZES,
    by_strength,
    edited,
    field_of,
    meetings_of,
    next_round,
    play,
    sheets_of,
)

ONE_AT_A_TIME = {"swiss", "knock-out", "ladder"}
OF_ANY_FIELD = {name: format for name, format in FORMATS.items() if format.is_in_files}
EVERY_FORMAT = pytest.mark.parametrize("name", OF_ANY_FIELD)  # `versus` is for two, and has a file of its own
SMALL = Settings(sheets=2, gauntlet=tuple(field_of(3)), interval_points=150)


def check(name, field, pairings, rules):
    """The laws of a single round."""
    seated = [bot for pairing in pairings for bot in pairing[:2]]
    assert set(seated) <= set(field)
    assert all(one != other for one, other, *_ in pairings)
    assert all(start >= 0 and sheets >= 1 for _, _, start, sheets in pairings)
    if name in ONE_AT_A_TIME:
        assert len(set(seated)) == len(seated)
    if name != "knock-out":  # whose deciders take more
        assert all(start + sheets <= rules.sheets for _, _, start, sheets in pairings)


def test_the_table_names_the_modules_of_the_folder():
    """Every module with a `FORMAT` is one, under its own name but for hyphens, and nothing else is."""
    found = [
        import_module(f"arena.formats.{module.name}") for module in pkgutil.iter_modules(formats.__path__)
    ]
    named = {
        module.__name__.split(".")[-1].replace("_", ""): module.FORMAT
        for module in found
        if hasattr(module, "FORMAT")
    }
    assert named == {name.replace("-", ""): format for name, format in FORMATS.items()}


@EVERY_FORMAT
@pytest.mark.parametrize("field", [[], ["alone"]], ids=["none", "one"])
def test_nobody_to_meet_is_no_round(name, field):
    """Fields of no bot and of one have no pairings, also when others were there before."""
    for rounds in ([], [[Meeting("gone", "alone", 0, 8, 1.0)]], [[Meeting("gone", "past", 0, 8, 0.5)]]):
        for drawn in ((), ("alone",), ("gone", "alone", "past")):
            assert (
                FORMATS[name].next_round(field, rounds, {}, Settings(drawn=drawn, gauntlet=("alone",))) == []
            )


@EVERY_FORMAT
@pytest.mark.parametrize("size", SIZES)
def test_a_tournament_of_any_size_keeps_the_laws_and_ends(name, size):
    """Nobody meets himself or is in two places, and no two bots are given a sheet twice."""
    field = field_of(size)
    rounds = play(name, field, by_strength(field, size), SMALL)
    for meetings in rounds:
        check(name, field, [meeting[:4] for meeting in meetings], SMALL)
    assert max(sheets_of(rounds).values(), default=1) == 1
    assert bool(rounds) == (size > (3 if name == "gauntlet" else 1))


@EVERY_FORMAT
@given(data=st.data())
@settings(deadline=None, max_examples=150)
def test_whatever_scores_and_comings_and_goings_the_laws_hold_and_it_ends(name, data):
    """Bots come, leave, come back and are edited between rounds; each round is lawful, and there is a last."""
    everyone = field_of(9)
    field = everyone[: data.draw(st.integers(0, 7), "size")]
    scores = st.sampled_from([0.0, 0.25, 0.5, 0.5, 0.75, 1.0])
    rules = SMALL._replace(
        rounds=data.draw(st.sampled_from([None, 3, 99]), "rounds"), seed=data.draw(st.integers(0, 3), "seed")
    )
    drawn, rounds, changes = (), [], data.draw(st.integers(0, 4), "changes")
    while pairings := next_round(name, field, rounds, rules._replace(drawn=drawn)):
        check(name, field, pairings, rules)
        drawn = drawn or tuple(field)
        rounds.append([Meeting(*pairing, data.draw(scores, "score")) for pairing in pairings])
        assert max(sheets_of(rounds).values()) == 1
        assert len(rounds) < 300
        if len(rounds) <= changes:
            bot = data.draw(st.sampled_from(everyone), "bot")
            if bot not in field:
                field = [*field, bot]
            elif data.draw(st.booleans(), "leaves"):
                field = [other for other in field if other != bot]
            else:
                rounds = edited(rounds, bot, len(rounds))


def turned(meeting):
    """The same meeting as the other bot sees it."""
    return Meeting(meeting.other, meeting.one, meeting.start, meeting.sheets, 1 - meeting.score)


@EVERY_FORMAT
@pytest.mark.parametrize("size", [2, 5, 8, 13, 24])
def test_the_order_of_meetings_in_a_round_and_who_is_named_first_do_not_matter(name, size):
    """The next round is a function of what was played, not of how it arrived or was written down."""
    field = field_of(size)
    rounds = play(name, field, by_strength(field, size), SMALL)
    chance = random.Random(size)
    for number in range(0, len(rounds) + 1, max(1, len(rounds) // 12)):
        before = rounds[:number]
        mixed = [
            chance.sample([chance.choice([m, turned(m)]) for m in meetings], len(meetings))
            for meetings in before
        ]
        assert next_round(name, field, mixed, SMALL) == next_round(name, field, before, SMALL)


@pytest.mark.parametrize(
    "name", [name for name, format in OF_ANY_FIELD.items() if format.is_by_results and not format.has_bracket]
)
def test_who_comes_later_joins_the_next_round(name):
    """A newcomer and an edited bot meet somebody in the round after they came, if there is one."""
    field = field_of(8)
    rules = SMALL._replace(drawn=tuple(field))
    rounds = [[Meeting(*p, 0.75) for p in next_round(name, field, [], rules)]]
    for later, history in (([*field, "new"], rounds), (field, edited(rounds, field[3]))):
        newcomer = "new" if "new" in later else field[3]
        pairings = next_round(name, later, history, rules)
        assert newcomer in {bot for pairing in pairings for bot in pairing[:2]}


@EVERY_FORMAT
def test_meetings_are_those_of_a_larger_or_equal_round_robin(name):
    """Only a knock-out's deciders may ever go beyond the sheets that every two bots have."""
    field = field_of(12)
    rounds = play(name, field, by_strength(field, 1), SMALL._replace(interval_points=0, rounds=99))
    beyond = [meeting for meeting in meetings_of(rounds) if meeting.start + meeting.sheets > SMALL.sheets]
    assert not beyond or name == "knock-out"
