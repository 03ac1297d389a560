"""Turns on the strict filter of system calls, under which its runner can hardly do a thing.

kind: kernel corners
proof: none
control: no: it can only take rights from itself
expect: plays, crash, timeout
"""

import ctypes
from contextlib import suppress

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, STRICT = 38, 22, 1


def move(position):
    with suppress(Exception):
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        libc.prctl(PR_SET_SECCOMP, STRICT, 0, 0, 0)
    return position.legal_moves[0]
