"""Writes over the objects of its own interpreter.

kind: exits
proof: none
control: no: it only ends itself
expect: crash, timeout, memory, garbage
"""

import ctypes


def move(position):
    for value in ((), "", 0, None, move):
        ctypes.memset(id(value), 0x41, 64)
    return position.legal_moves[0]
