"""Replaces the list of legal moves, and claims a cell that does not exist.

kind: in-process
proof: none
control: no: the referee does not ask for them
expect: illegal, crash, garbage
"""

from arena.game import Position


def move(position):
    Position.legal_moves = property(lambda self: (99,))
    return position.legal_moves[0]
