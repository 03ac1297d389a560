"""Raises the host's own exception with things in it that no ending is made of.

kind: in-process
proof: none
control: no: it needs a host that believes it
expect: crash, garbage, timeout, memory
"""


def move(position):
    from arena.inside.program import BotFault
    from arena.referee.endings import Failure

    raise BotFault(Failure("won\n\0", "\ud800" * 10_000_000, object()))
