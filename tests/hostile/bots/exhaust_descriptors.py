"""Opens descriptors until there are none left.

kind: descriptors
proof: none
control: no: it only hurts itself
expect: plays, crash
"""

import os
from contextlib import suppress

held = []


def move(position):
    with suppress(OSError):
        while len(held) < 20_000:
            held.append(os.dup(0))
    return position.legal_moves[0]
