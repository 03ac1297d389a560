"""Puts a key into the kernel's keyring.

kind: kernel corners
proof: granted
control: yes, given all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

ADD_KEY = {"x86_64": 248, "aarch64": 217}
THREAD_KEYRING = -1


def move(position):
    with suppress(Exception):
        number = ADD_KEY[os.uname().machine]
        if ctypes.CDLL(None).syscall(number, b"user", b"@MARK@", b"secret", 6, THREAD_KEYRING) > 0:
            print("granted @MARK@: a key")
    return position.legal_moves[0]
