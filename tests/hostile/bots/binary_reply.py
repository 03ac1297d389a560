"""Writes every byte there is to every descriptor.

kind: wire
proof: touched
control: yes
expect: garbage, crash, timeout, illegal
"""

import os
from contextlib import suppress


def move(position):
    for descriptor in range(3, 256):
        with suppress(OSError):
            os.write(descriptor, bytes(range(255, -1, -1)) * 16)
    return position.legal_moves[0]
