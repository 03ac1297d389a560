"""Swaps neighbouring descriptors, so that requests look like replies.

kind: descriptors
proof: none
control: no: it only confuses itself
expect: crash, timeout, garbage, plays, illegal
"""

import os
from contextlib import suppress


def move(position):
    for descriptor in range(0, 32):
        with suppress(OSError):
            kept = os.dup(descriptor)
            os.dup2(descriptor + 1, descriptor)
            os.dup2(kept, descriptor + 1)
            os.close(kept)
    return position.legal_moves[0]
