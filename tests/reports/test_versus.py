"""The answer of `arena versus` in words that are true of any bounds."""

from typing import Any

import pytest

from arena.reports.versus import STOPPED, say_risk, say_score, say_verdict
from arena.standings.sprt import Bounds, State, Verdict


class Two:
    """A run of two bots, as far as sentences need it."""

    field = type("Field", (), {"bots": {"A": "", "B": ""}})()
    variants = ("line", "grid")
    missing = 0


TWO: Any = Two()


@pytest.mark.parametrize(
    ("bounds", "verdict", "sentence"),
    [
        ((0, 30), Verdict.BETTER, "A is better than B."),
        ((5, 30), Verdict.BETTER, "A is better than B by more than 5 points."),
        ((-10, 0), Verdict.BETTER, "A is not worse than B by 10 points or more."),
        ((0, 30), Verdict.NOT_BETTER, "A is not better than B by 30 points or more."),
        ((-10, 0), Verdict.NOT_BETTER, "A is worse than B."),
        ((-30, -10), Verdict.NOT_BETTER, "A is worse than B by more than 10 points."),
    ],
)
def test_the_sentence_fits_the_bounds(bounds, verdict, sentence):
    """What was shown is said, also of bounds below nothing."""
    state = State((1, 2, 3), 3.0, verdict)
    assert say_verdict(TWO, state, Bounds(*bounds), 100) == sentence


def test_not_known_says_whether_more_games_would_help():
    """If another sheet was allowed there was none left; else the games were spent."""
    state = State((1, 2, 2), 0.3, Verdict.UNKNOWN)
    sentence = "Whether A is better than B is not known after {}."
    assert say_verdict(TWO, state, Bounds(), 13) == sentence.format("10 games")
    assert say_verdict(TWO, state, Bounds(), 14) == sentence.format("all available openings, 10 games")


def test_who_loses_everything_is_surely_weaker():
    """Also where there are too few openings for the test to end; a few lost pairs are not enough."""
    few, many = State((4, 0, 0), -0.5, Verdict.UNKNOWN), State((12, 0, 0), -1.4, Verdict.UNKNOWN)
    assert say_verdict(TWO, few, Bounds(), 100).startswith("Whether A is better than B is not known after")
    told = "A is surely weaker than B, although the test did not end within all available openings, 24 games."
    assert say_verdict(TWO, many, Bounds(), 100) == told
    won = State((0, 0, 12), 1.4, Verdict.UNKNOWN)
    assert say_verdict(TWO, won, Bounds(), 100).startswith(
        "A is surely better than B, but by how much is not"
    )


def test_the_score_is_that_of_the_pairs_that_ended_the_test():
    """It says so where more were played, and that stopping was allowed for; lines fit into 80 columns."""
    ended = State((5, 5, 40), 3.0, Verdict.BETTER)
    (line, told) = say_score(ended)
    assert line.startswith("score 0.850: +290 points, 95 % interval +171 to +409")
    assert told == STOPPED
    (longer, _) = say_score(ended._replace(counts=(8, 1_006, 44), later=(3, 1_001, 4)))
    assert longer == line.replace(":", " in the first 50 pairs:", 1)
    assert max(map(len, (longer, told))) <= 80


def test_without_a_verdict_nothing_is_said_of_stopping():
    """The test did not stop; and before the first pair there is no score."""
    assert len(say_score(State((5, 5, 9), 0.5, Verdict.UNKNOWN))) == 1
    assert say_score(State((0, 0, 0), 0.0, Verdict.UNKNOWN)) == []


def test_the_risk_is_said_in_words():
    """Each verdict has its own error, and none claims nothing."""
    bounds = Bounds(alpha=0.1, beta=0.025)
    assert say_risk(Verdict.BETTER, bounds) == (
        "a bot that is no stronger is called better in at most about 10 % of such tests"
    )
    assert say_risk(Verdict.NOT_BETTER, bounds) == (
        "a bot whose difference is +30 points or more is rejected in at most about 2.5 % of such tests"
    )
    assert "whose difference is -5 points or less" in say_risk(Verdict.BETTER, bounds._replace(low=-5))
    assert "goes on from here" in say_risk(Verdict.UNKNOWN, bounds)
