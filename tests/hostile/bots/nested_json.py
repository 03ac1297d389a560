"""Writes JSON nested 100,000 deep to every descriptor.

kind: wire
proof: touched
control: yes
expect: garbage, crash, timeout
"""

import os
from contextlib import suppress


def move(position):
    for descriptor in range(3, 256):
        with suppress(OSError):
            os.write(descriptor, b"[" * 100_000 + b"\n")
    return position.legal_moves[0]
