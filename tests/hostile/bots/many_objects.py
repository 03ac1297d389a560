"""Hoards 640 MiB in pieces of one.

kind: own memory
proof: granted
control: yes
expect: memory, timeout, plays
"""

import time
from contextlib import suppress


def move(position):
    hoard = []
    with suppress(MemoryError):
        for _ in range(640):
            hoard.append(b"x" * (1 << 20))
        time.sleep(0.7)
        print("granted @MARK@:", len(hoard), "MiB")
    return position.legal_moves[0]
