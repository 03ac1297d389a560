"""Shrinks every pipe to the least there is, at both ends.

kind: descriptors
proof: none
control: no: pipes to itself only
expect: plays, crash
"""

import fcntl
from contextlib import suppress


def move(position):
    for descriptor in range(512):
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, 1)
    return position.legal_moves[0]
