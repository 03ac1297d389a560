"""Asks for memory that not even the kernel may look at.

kind: kernel corners
proof: none
control: no: it harms nobody, and many kernels lack it
expect: plays, memory
"""

import ctypes
from contextlib import suppress

MEMFD_SECRET = 447


def move(position):
    with suppress(Exception):
        ctypes.CDLL(None).syscall(MEMFD_SECRET, 0)
    return position.legal_moves[0]
