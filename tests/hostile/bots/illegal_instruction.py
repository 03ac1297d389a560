"""Jumps into machine code of its own that is no code.

kind: exits
proof: none
control: no: it only ends itself
expect: crash, plays
"""

import ctypes
import mmap
from contextlib import suppress


def move(position):
    with suppress(Exception):
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(b"\x0f\x0b\0\0")  # on x86_64 and on aarch64
        ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    return position.legal_moves[0]
