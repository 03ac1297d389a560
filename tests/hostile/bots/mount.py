"""Mounts a file system over a folder.

kind: kernel corners
proof: granted
control: yes, given root and all_calls
expect: plays
"""

import ctypes
from contextlib import suppress


def move(position):
    with suppress(Exception):
        libc = ctypes.CDLL(None)
        if libc.mount(b"none", b"@FOLDER@/empty", b"tmpfs", 0, None) == 0:
            libc.umount2(b"@FOLDER@/empty", 0)
            print("granted @MARK@: a mount")
    return position.legal_moves[0]
