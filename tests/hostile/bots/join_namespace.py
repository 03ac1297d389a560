"""Joins the namespaces of another process.

kind: kernel corners
proof: granted
control: yes, given root and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

CLONE_NEWUTS = 0x04000000


def move(position):
    with suppress(Exception):
        if ctypes.CDLL(None).setns(os.pidfd_open(int("@VICTIM@")), CLONE_NEWUTS) == 0:
            print("granted @MARK@: another's namespace")
    return position.legal_moves[0]
