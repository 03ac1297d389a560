"""Writes on every descriptor it has inherited, the referee's log perhaps among them.

kind: descriptors
proof: touched
control: yes
expect: garbage, crash, timeout, illegal
"""

import os
from contextlib import suppress


def move(position):
    for descriptor in range(512):
        with suppress(OSError):
            os.write(descriptor, b"was here")
    return position.legal_moves[0]
