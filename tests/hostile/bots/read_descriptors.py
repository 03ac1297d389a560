"""Swallows whatever waits on every descriptor, its next request perhaps.

kind: descriptors
proof: none
control: no: what waits there is meant for it
expect: plays, timeout, crash, garbage
"""

import os
import select
from contextlib import suppress


def move(position):
    for descriptor in range(512):
        with suppress(OSError):
            if select.select([descriptor], [], [], 0)[0]:
                os.read(descriptor, 65536)
    return position.legal_moves[0]
