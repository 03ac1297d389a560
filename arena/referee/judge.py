"""The referee: a pure function of the position, the reply and the limits.

It sees what a host reports and nothing else: no bot, no clock, no process. It never looks into what a bot
sent beyond the number that the host has read.
"""

from __future__ import annotations

from arena.errors import IllegalMove
from arena.game import Position
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Limits


def judge(position: Position, reply: Reply, limits: Limits, seconds_before: float) -> Position | Outcome:
    """Return the position after a reply, or the outcome if the game ends with it.

    `seconds_before` is the CPU that this bot has used in this game before the reply.
    """
    move, cpu_seconds, _, failure = reply
    if failure is None and (
        cpu_seconds > limits.move_seconds or seconds_before + cpu_seconds > limits.game_seconds
    ):
        failure = _overtime(cpu_seconds, limits, seconds_before)
    if failure is not None:
        return forfeit(position, failure)
    try:
        after = position.play(move)
    except IllegalMove as why:
        return forfeit(position, Failure(Ending.ILLEGAL, f"claimed cell {move}: {why}"))
    return after if not after.is_over else Outcome(position.to_move, Ending.NO_MOVES)


def forfeit(position: Position, failure: Failure) -> Outcome:
    """Return the outcome when the side to move fails: the other side wins."""
    ply = len(position.history) + 1
    return Outcome(1 - position.to_move, failure.ending, f"ply {ply}: {failure.detail}", failure.evidence)


def _overtime(used: float, limits: Limits, seconds_before: float) -> Failure:
    what, allowed = "a move", limits.move_seconds
    if used <= limits.move_seconds:
        what, allowed, used = "a game", limits.game_seconds, seconds_before + used
    return Failure(Ending.TIMEOUT, f"used {used:.3f} s of CPU for {what} that may use {allowed:g} s")
