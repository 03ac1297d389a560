"""Writes 16 MiB to descriptors 1 and 2, past Python's own objects.

kind: wire
proof: none
control: no: it only prints
expect: plays, timeout, garbage, crash
"""

import os
from contextlib import suppress


def move(position):
    for _ in range(256):
        with suppress(OSError):
            os.write(1, b"x" * 65536)
            os.write(2, b"x" * 65536)
    return position.legal_moves[0]
