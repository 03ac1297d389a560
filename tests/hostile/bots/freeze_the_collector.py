"""Turns the garbage collector off and hides everything from it.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays
"""

import gc


def move(position):
    gc.disable()
    gc.freeze()
    return position.legal_moves[0]
