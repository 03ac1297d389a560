"""Replaces the code by which its runner asks it for a move.

kind: in-process
proof: none
control: no: it only breaks its own runner
expect: illegal, garbage, crash
"""

import sys
from contextlib import suppress


def move(position):
    with suppress(Exception):
        answer = sys.modules["arena.inside.program"].answer
        answer.__code__ = (lambda player, position, clock: -1).__code__
    return -1
