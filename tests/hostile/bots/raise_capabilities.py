"""Takes every capability that it still may.

kind: kernel corners
proof: granted
control: yes, given root
expect: plays
"""

import ctypes
from contextlib import suppress

VERSION_3, SYS_ADMIN = 0x20080522, 21


def move(position):
    with suppress(Exception):
        libc = ctypes.CDLL(None)
        who, sets = (ctypes.c_uint32 * 2)(VERSION_3, 0), (ctypes.c_uint32 * 6)()
        libc.capget(who, sets)
        sets[0], sets[3] = sets[1], sets[4]  # effective = permitted, both halves
        if libc.capset(who, sets) == 0 and sets[0] >> SYS_ADMIN & 1:
            print("granted @MARK@: the rights of an administrator")
    return position.legal_moves[0]
