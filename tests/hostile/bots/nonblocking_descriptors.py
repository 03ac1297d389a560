"""Makes every descriptor non-blocking, which the other end of a terminal or socket would share.

kind: descriptors
proof: none
control: no: it only confuses itself
expect: plays, crash, timeout, garbage
"""

import os
from contextlib import suppress


def move(position):
    for descriptor in range(512):
        with suppress(OSError):
            os.set_blocking(descriptor, False)
    return position.legal_moves[0]
