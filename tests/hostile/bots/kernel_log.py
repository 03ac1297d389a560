"""Reads the kernel's log, in which addresses stand.

kind: kernel corners
proof: granted
control: yes, given root and all_calls
expect: plays
"""

import ctypes
from contextlib import suppress

READ_ALL = 3


def move(position):
    with suppress(Exception):
        if ctypes.CDLL(None).klogctl(READ_ALL, ctypes.create_string_buffer(4096), 4096) >= 0:
            print("granted @MARK@: the kernel's log")
    return position.legal_moves[0]
