"""The referee: pure functions of the position, the reply and the limits. Every outcome is made here.

It sees what a host reports and nothing else: no bot, no clock, no process. Of what a bot sent it sees only
the number that the host has read. Single games and batches share one step, `claim`.
"""

from __future__ import annotations

from arena.errors import IllegalMove
from arena.game import Position
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Limits

Judged = tuple[Position, Outcome | None]
"""The position after a reply, and the outcome if the game ends there."""


def judge(position: Position, reply: Reply, limits: Limits, seconds_before: float) -> Judged:
    """Return the position after a reply, and the outcome if the game ends with it.

    `seconds_before` are the seconds that this bot was charged in this game before the reply.
    """
    move, cpu_seconds, _, failure, idle_seconds = reply
    charged = cpu_seconds + idle_seconds
    if failure is None and (charged > limits.move_seconds or seconds_before + charged > limits.game_seconds):
        failure = _overtime(reply, limits, seconds_before)
    if failure is not None:
        return position, forfeit(position, failure)
    return claim(position, move)


def claim(position: Position, cell: int) -> Judged:
    """Return the position after a claim, and the outcome if the game ends with it."""
    try:
        after = position.play(cell)
    except IllegalMove as why:
        return position, forfeit(position, Failure(Ending.ILLEGAL, f"claimed cell {cell}: {why}"))
    return after, end_of(after) if after.is_over else None


def end_of(position: Position) -> Outcome:
    """Return the outcome when the side to move has no move, or when a trial ends, which does not count."""
    return Outcome(1 - position.to_move, Ending.NO_MOVES)


def forfeit(position: Position, failure: Failure) -> Outcome:
    """Return the outcome when the side to move fails: the other side wins."""
    ply = len(position.history) + 1
    return Outcome(1 - position.to_move, failure.ending, f"ply {ply}: {failure.detail}", failure.evidence)


def starting_order(position: Position) -> tuple[int, int]:
    """Return the sides in the order of starting: if neither bot starts, the side to move loses."""
    return position.to_move, 1 - position.to_move


def no_start(side: int, detail: str, evidence: str = "") -> Outcome:
    """Return the outcome when the bot of a side cannot be started."""
    return Outcome(1 - side, Ending.NO_START, detail, evidence)


def _overtime(reply: Reply, limits: Limits, seconds_before: float) -> Failure:
    used = reply.cpu_seconds + reply.idle_seconds
    what, allowed, kind = "a move", limits.move_seconds, "s of CPU"
    if reply.idle_seconds:
        kind = f"s, {reply.idle_seconds:.3f} s of them asleep,"
    if used <= limits.move_seconds:
        what, allowed, used, kind = "a game", limits.game_seconds, seconds_before + used, "s"
    return Failure(Ending.TIMEOUT, f"used {used:.3f} {kind} for {what} that may use {allowed:g} s")
