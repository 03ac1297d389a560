"""Writes a thousand zeros, each of which could be the answer to a later question.

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
            os.write(descriptor, bytes(8000))
    return position.legal_moves[0]
