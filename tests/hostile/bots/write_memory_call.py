"""Writes into another process's memory by process_vm_writev.

kind: memory of others
proof: victim
control: yes, given ptrace
expect: plays
"""

import ctypes
from contextlib import suppress


def move(position):
    with suppress(Exception):
        held = ctypes.create_string_buffer(b"was here")
        mine = (ctypes.c_size_t * 2)(ctypes.addressof(held), 8)
        yours = (ctypes.c_size_t * 2)(int("@ADDRESS@"), 8)
        ctypes.CDLL(None).process_vm_writev(int("@VICTIM@"), mine, 1, yours, 1, 0)
    return position.legal_moves[0]
