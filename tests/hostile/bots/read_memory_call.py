"""Reads another process's memory by process_vm_readv.

kind: memory of others
proof: leaked
control: yes, given ptrace
expect: plays
"""

import ctypes
from contextlib import suppress


def move(position):
    with suppress(Exception):
        held = ctypes.create_string_buffer(32)
        mine = (ctypes.c_size_t * 2)(ctypes.addressof(held), 32)
        yours = (ctypes.c_size_t * 2)(int("@ADDRESS@"), 32)
        ctypes.CDLL(None).process_vm_readv(int("@VICTIM@"), mine, 1, yours, 1, 0)
        print(held.value)
    return position.legal_moves[0]
