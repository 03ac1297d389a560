"""The referee, a pure function: what a reply means."""

import pytest

import arena
from arena.referee import Ending, Failure, Limits, Outcome, Reply, judge

LINE = arena.variant("blockade-line")
LIMITS = Limits(move_seconds=1.0, game_seconds=3.0)


def test_a_legal_reply_leads_to_the_next_position():
    """The referee's own position moves on by the claimed cell."""
    assert judge(LINE.start(), Reply(6), LIMITS, 0.0) == (LINE.start().play(6), None)


def test_whoever_leaves_the_opponent_without_a_move_has_won():
    """The game ends with the claim after which nobody can claim."""
    position = LINE.replay(LINE.parse_moves("7 4 10 12"))
    after = position.play(1)
    assert judge(position, Reply(1), LIMITS, 0.0) == (after, Outcome(0, Ending.NO_MOVES))


@pytest.mark.parametrize("move", [5, 6, 13, -1, 99])
def test_an_illegal_reply_loses(move):
    """A cell that is taken, closed or not on the board is a forfeit, with the ply and the reason."""
    before = LINE.start().play(6)
    position, outcome = judge(before, Reply(move), LIMITS, 0.0)
    assert position == before
    assert outcome is not None
    assert (outcome.winner, outcome.ending) == (0, Ending.ILLEGAL)
    assert outcome.detail.startswith(f"ply 2: claimed cell {move}: ")


@pytest.mark.parametrize(
    ("cpu", "before", "is_late"),
    [(1.0, 0.0, False), (1.001, 0.0, True), (0.5, 2.5, False), (0.5, 2.6, True), (0.0, 3.0, False)],
)
def test_cpu_over_the_limit_of_a_move_or_a_game_loses(cpu, before, is_late):
    """A legal move that took too much CPU is a timeout; exactly the limit is not."""
    _, outcome = judge(LINE.start(), Reply(6, cpu_seconds=cpu, wall_seconds=99.0), LIMITS, before)
    assert (outcome is not None) == is_late
    if outcome is not None:
        assert (outcome.winner, outcome.ending) == (1, Ending.TIMEOUT)


@pytest.mark.parametrize(
    ("reply", "before", "told"),
    [
        (Reply(6, 1.25), 0.5, "used 1.250 s of CPU for a move that may use 1 s"),
        (
            Reply(6, 0.25, idle_seconds=1.0),
            0.5,
            "used 1.250 s, 1.000 s of them asleep, for a move that may use 1 s",
        ),
        (Reply(6, 0.5), 2.75, "used 3.250 s for a game that may use 3 s"),
        (Reply(6, 0.25, idle_seconds=0.25), 2.75, "used 3.250 s for a game that may use 3 s"),
    ],
)
def test_the_sentence_about_a_timeout_has_the_numbers_of_the_limit_that_was_passed(reply, before, told):
    """Of a move what it took, of a game what all its moves took; asleep counts as much as computing."""
    _, outcome = judge(LINE.start(), reply, LIMITS, before)
    assert outcome is not None
    assert (outcome.ending, outcome.detail) == (Ending.TIMEOUT, f"ply 1: {told}")


@pytest.mark.parametrize("ending", [e for e in Ending if e.is_forfeit])
def test_a_failure_loses_whatever_the_move(ending):
    """What the host saw decides; the sentence and the evidence are kept."""
    _, outcome = judge(LINE.start(), Reply(6, failure=Failure(ending, "broke down", "trace")), LIMITS, 0.0)
    assert outcome == Outcome(1, ending, "ply 1: broke down", "trace")


def test_only_running_out_of_moves_is_no_forfeit():
    """All other endings are losses by breaking a rule."""
    assert [ending for ending in Ending if not ending.is_forfeit] == [Ending.NO_MOVES]
