"""Makes itself root of a user namespace of its own.

kind: kernel corners
proof: granted
control: yes, given user_namespaces and all_calls
expect: plays
"""

import ctypes
from contextlib import suppress

CLONE_NEWUSER = 0x10000000


def move(position):
    with suppress(Exception):
        if ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0:
            print("granted @MARK@: a user namespace")
    return position.legal_moves[0]
