"""Asks the kernel how its own objects compare with those of another process.

kind: memory of others
proof: granted
control: yes, given ptrace and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

KCMP = {"x86_64": 312, "aarch64": 272}
KCMP_VM = 1


def move(position):
    with suppress(Exception):
        number = KCMP[os.uname().machine]
        if ctypes.CDLL(None).syscall(number, os.getpid(), int("@VICTIM@"), KCMP_VM, 0, 0) >= 0:
            print("granted @MARK@: a comparison")
    return position.legal_moves[0]
