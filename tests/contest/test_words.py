"""What a contest says of itself: whoever waits for a game reads why there is none."""

import pytest

from arena.contest.aim import Aim
from arena.contest.words import (
    ALL_PLAYED,
    CLOSED,
    CLOSED_AND_CHECKING,
    CLOSED_AND_PAUSED,
    CLOSED_AND_PLAYED,
    DRAWN_ONCE,
    NO_BOT,
    ONE_BOT,
    PAUSED,
    TOO_FEW,
    say_how,
    say_spoilt,
    say_twice,
    say_why_not,
)
from arena.formats import FORMATS

OPEN_AIM, CLOSED_AIM = Aim((), 0, False, False, ()), Aim((), 1, False, True, ())


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("has_games", [False, True])
def test_paused_goes_before_everything(format, has_games):
    """Whoever has closed a contest that is paused reads what has to be done."""
    for bots in range(4):
        assert say_why_not(OPEN_AIM._replace(is_paused=True), bots, format, has_games) == PAUSED
        assert say_why_not(CLOSED_AIM._replace(is_paused=True), bots, format, has_games) == CLOSED_AND_PAUSED


def test_two_bots_are_needed():
    """Before the first game, after some, and when it is closed."""
    for bots, words in enumerate((NO_BOT, ONE_BOT)):
        assert say_why_not(OPEN_AIM, bots, "round-robin", has_games=False) == words
        assert say_why_not(OPEN_AIM, bots, "round-robin", has_games=True) == TOO_FEW
        assert say_why_not(CLOSED_AIM, bots, "round-robin", has_games=True) == f"{CLOSED} {TOO_FEW}"


@pytest.mark.parametrize("format", FORMATS)
def test_where_one_can_be_too_late_it_begins_when_all_have_come(format):
    """A Swiss of the two who came first would be over before the third."""
    waits = format in ("swiss", "knock-out")
    assert say_why_not(OPEN_AIM, 2, format, has_games=False) == DRAWN_ONCE * waits
    assert say_why_not(CLOSED_AIM, 2, format, has_games=False) == ""
    assert say_why_not(OPEN_AIM, 2, format, has_games=True) == "", "it was opened again"


def test_what_was_handed_in_before_the_end_is_waited_for():
    """It plays too, so nothing is drawn, shown or called played before it is checked."""
    checking = CLOSED_AIM._replace(is_checking=True)
    assert (checking.is_last, CLOSED_AIM.is_last, OPEN_AIM.is_last) == (False, True, False)
    assert say_why_not(checking, 2, "swiss", has_games=False) == CLOSED_AND_CHECKING
    assert say_why_not(checking, 2, "round-robin", has_games=False) == ""
    for is_played in (False, True):
        assert say_how(checking, is_played) == CLOSED_AND_CHECKING
    assert [say_how(aim, True) for aim in (OPEN_AIM, CLOSED_AIM)] == [ALL_PLAYED, CLOSED_AND_PLAYED]
    assert [say_how(aim, False) for aim in (OPEN_AIM, CLOSED_AIM)] == ["", CLOSED]


def test_numbers_and_names_are_said():
    """One game is no games; nothing is said of no names."""
    assert say_spoilt(1).startswith("1 game was spoilt by this machine, and will be played again.")
    assert say_spoilt(1200).startswith("1,200 games were spoilt")
    assert say_twice([]) == ""
    assert say_twice(["Anna", "ben"]).startswith("What was handed in as Anna, ben does not play:")
