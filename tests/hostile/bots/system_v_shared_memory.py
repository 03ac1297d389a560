"""Makes System V shared memory, which has a key in place of a path.

kind: files
proof: touched
control: yes
expect: plays
"""

import ctypes
from contextlib import suppress

IPC_CREAT = 0o1000


def move(position):
    with suppress(Exception):
        ctypes.CDLL(None).shmget(int("@MARK@"[-7:], 16), 4096, IPC_CREAT | 0o600)
    return position.legal_moves[0]
