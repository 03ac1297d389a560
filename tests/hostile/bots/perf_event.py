"""Opens a performance counter, a favourite door into kernels.

kind: kernel corners
proof: granted
control: yes, given perf and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
SOFTWARE, SIZE, USER_ONLY = 1, 64, 0x60


def move(position):
    with suppress(Exception):
        wanted = (ctypes.c_uint32 * 32)(SOFTWARE, SIZE, *[0] * 8, USER_ONLY)
        if ctypes.CDLL(None).syscall(PERF_EVENT_OPEN[os.uname().machine], wanted, 0, -1, -1, 0) >= 0:
            print("granted @MARK@: a counter")
    return position.legal_moves[0]
