"""Starts a child in a user namespace by the bare system call clone.

kind: kernel corners
proof: granted
control: yes, given user_namespaces and all_calls
expect: plays
"""

import ctypes
import os
import signal
from contextlib import suppress

CLONE = {"x86_64": 56, "aarch64": 220}
CLONE_NEWUSER = 0x10000000


def move(position):
    with suppress(Exception):
        child = ctypes.CDLL(None).syscall(
            CLONE[os.uname().machine], CLONE_NEWUSER | signal.SIGCHLD, 0, 0, 0, 0
        )
        if child == 0:
            os._exit(0)
        if child > 0:
            os.waitpid(child, 0)
            print("granted @MARK@: a child in a user namespace")
    return position.legal_moves[0]
