"""Writes a segment descriptor of its own, a corner of the x86 that few look into.

kind: kernel corners
proof: granted
control: yes, given x86_64 and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

MODIFY_LDT, WRITE = 154, 0x11


def move(position):
    with suppress(Exception):
        segment = (ctypes.c_uint32 * 4)(0, 0, 0xFFF, 0x51)
        if os.uname().machine == "x86_64" and ctypes.CDLL(None).syscall(MODIFY_LDT, WRITE, segment, 16) == 0:
            print("granted @MARK@: a segment")
    return position.legal_moves[0]
