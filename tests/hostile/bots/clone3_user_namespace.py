"""Starts a child in a user namespace by clone3, whose flags no filter can see.

kind: kernel corners
proof: granted
control: yes, given user_namespaces and all_calls
expect: plays
"""

import ctypes
import os
import signal
from contextlib import suppress

CLONE3 = 435
CLONE_NEWUSER = 0x10000000


def move(position):
    with suppress(Exception):
        wanted = (ctypes.c_uint64 * 11)(CLONE_NEWUSER, 0, 0, 0, signal.SIGCHLD)
        child = ctypes.CDLL(None).syscall(CLONE3, wanted, 88)
        if child == 0:
            os._exit(0)
        if child > 0:
            os.waitpid(child, 0)
            print("granted @MARK@: a child in a user namespace")
    return position.legal_moves[0]
