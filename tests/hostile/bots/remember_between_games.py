"""Hides in the interpreter what it has seen, for a game in which it must not know it.

kind: in-process
proof: none
control: no: only a second game could show it
expect: plays
"""

import builtins
import sys


def move(position):
    seen = getattr(sys, "arena_seen", [])
    builtins.arena_seen = sys.arena_seen = [*seen, position.history]
    type(position).seen = property(lambda self: seen)
    return position.legal_moves[0]
