"""Opens for reading, through /proc, what it has inherited for writing only.

kind: descriptors
proof: leaked
control: yes
expect: plays, timeout, garbage, crash
"""

import os
from contextlib import suppress


def move(position):
    for descriptor in range(3, 512):
        with suppress(OSError):
            print(os.read(os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_NONBLOCK), 100))
    return position.legal_moves[0]
