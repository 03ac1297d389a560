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
    failure = reply.failure or _overtime(reply, limits, seconds_before)
    if failure is None:
        try:
            after = position.play(reply.move)
        except IllegalMove as why:
            failure = Failure(Ending.ILLEGAL, f"claimed cell {reply.move}: {why}")
        else:
            return after if not after.is_over else Outcome(position.to_move, Ending.NO_MOVES)
    return forfeit(position, failure)


def forfeit(position: Position, failure: Failure) -> Outcome:
    """Return the outcome when the side to move fails: the other side wins."""
    ply = len(position.history) + 1
    return Outcome(1 - position.to_move, failure.ending, f"ply {ply}: {failure.detail}", failure.evidence)


def _overtime(reply: Reply, limits: Limits, seconds_before: float) -> Failure | None:
    used = reply.cpu_seconds
    if used > limits.move_seconds:
        return Failure(
            Ending.TIMEOUT, f"used {used:.3f} s of CPU for a move that may use {limits.move_seconds:g} s"
        )
    if seconds_before + used > limits.game_seconds:
        total = seconds_before + used
        return Failure(
            Ending.TIMEOUT, f"used {total:.3f} s of CPU for a game that may use {limits.game_seconds:g} s"
        )
    return None
