"""Writes without end to every descriptor.

kind: wire
proof: none
control: no: it can only spoil its own lines
expect: garbage, timeout, crash, memory
"""

import os
from contextlib import suppress


def move(position):
    while True:
        for descriptor in range(3, 256):
            with suppress(OSError):
                os.write(descriptor, b"1" * 65536)
