"""Prepares a mount by the newer calls, which older filters do not know.

kind: kernel corners
proof: granted
control: yes, given root and all_calls
expect: plays
"""

import ctypes
from contextlib import suppress

FSOPEN = 430


def move(position):
    with suppress(Exception):
        if ctypes.CDLL(None).syscall(FSOPEN, b"tmpfs", 0) >= 0:
            print("granted @MARK@: a file system")
    return position.legal_moves[0]
