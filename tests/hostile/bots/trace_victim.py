"""Reads another process's memory as a debugger.

kind: memory of others
proof: leaked
control: yes, given ptrace
expect: plays
"""

import ctypes
import os
from contextlib import suppress

PTRACE_PEEKDATA, PTRACE_ATTACH, PTRACE_DETACH, WALL = 2, 16, 17, 0x40000000


def move(position):
    with suppress(Exception):
        ptrace = ctypes.CDLL(None).ptrace
        ptrace.restype = ctypes.c_long
        ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        if ptrace(PTRACE_ATTACH, int("@VICTIM@"), None, None) == 0:
            os.waitpid(int("@VICTIM@"), WALL)
            words = [
                ptrace(PTRACE_PEEKDATA, int("@VICTIM@"), int("@ADDRESS@") + at, None)
                for at in range(0, 32, 8)
            ]
            ptrace(PTRACE_DETACH, int("@VICTIM@"), None, None)
            print(b"".join(word.to_bytes(8, "little", signed=True) for word in words))
    return position.legal_moves[0]
