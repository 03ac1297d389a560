"""Raises the host's own exception with an ending that is no forfeit.

kind: in-process
proof: none
control: no: it needs a host that believes it
expect: crash, garbage
"""


def move(position):
    from arena.inside.program import BotFault
    from arena.referee.endings import Ending, Failure

    raise BotFault(Failure(Ending.NO_MOVES, "the other side has resigned"))
