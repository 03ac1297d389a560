"""Asks for the session's keyring, in which others keep their keys.

kind: kernel corners
proof: granted
control: yes, given all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

KEYCTL = {"x86_64": 250, "aarch64": 219}
GET_KEYRING_ID, SESSION_KEYRING = 0, -3


def move(position):
    with suppress(Exception):
        if ctypes.CDLL(None).syscall(KEYCTL[os.uname().machine], GET_KEYRING_ID, SESSION_KEYRING, 0) > 0:
            print("granted @MARK@: the session's keyring")
    return position.legal_moves[0]
