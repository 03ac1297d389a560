"""Makes a BPF map, the first step to a program inside the kernel.

kind: kernel corners
proof: granted
control: yes, given root and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

BPF = {"x86_64": 321, "aarch64": 280}
MAP_CREATE, HASH = 0, 1


def move(position):
    with suppress(Exception):
        wanted = (ctypes.c_uint32 * 32)(HASH, 4, 4, 1)
        if ctypes.CDLL(None).syscall(BPF[os.uname().machine], MAP_CREATE, wanted, 128) >= 0:
            print("granted @MARK@: a map")
    return position.legal_moves[0]
