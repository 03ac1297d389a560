"""Makes system calls that do not exist, below zero and far above the last.

kind: kernel corners
proof: none
control: no: no such calls exist
expect: plays, crash
"""

import ctypes
from contextlib import suppress


def move(position):
    with suppress(Exception):
        for number in (-1, -(2**31), 600, 1023, 2**30 - 1, 2**31 - 1):
            ctypes.CDLL(None).syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0)
    return position.legal_moves[0]
