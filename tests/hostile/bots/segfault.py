"""Reads where there is no memory.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""

import ctypes


def move(position):
    return ctypes.string_at(0)
