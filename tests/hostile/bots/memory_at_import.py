"""Hoards 640 MiB while it is being imported.

kind: own memory
proof: granted
control: yes
expect: no-start, memory, plays
"""

import time
from contextlib import suppress

with suppress(MemoryError):
    hoard = b"x" * (640 << 20)
    time.sleep(0.7)
    print("granted @MARK@:", len(hoard), "bytes")


def move(position):
    return position.legal_moves[0]
