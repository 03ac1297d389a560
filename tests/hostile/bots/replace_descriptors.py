"""Puts a pipe of its own in the place of every descriptor.

kind: descriptors
proof: none
control: no: it only cuts its own lines
expect: crash, timeout, garbage
"""

import os
from contextlib import suppress


def move(position):
    _, writer = os.pipe()
    for descriptor in range(256):
        with suppress(OSError):
            os.dup2(writer, descriptor)
    return position.legal_moves[0]
