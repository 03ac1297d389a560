"""Moves to the start of every descriptor and cuts it off there.

kind: descriptors
proof: touched
control: yes
expect: plays, crash
"""

import os
import stat
from contextlib import suppress


def move(position):
    for descriptor in range(512):
        with suppress(OSError):
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.lseek(descriptor, 0, os.SEEK_SET)
                os.ftruncate(descriptor, 0)
    return position.legal_moves[0]
