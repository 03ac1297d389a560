"""Fills 640 MiB of memory that could be shared, which some limits do not count.

kind: own memory
proof: granted
control: yes
expect: memory, timeout, plays
"""

import mmap
import time
from contextlib import suppress


def move(position):
    with suppress(MemoryError, OSError), mmap.mmap(-1, 640 << 20) as hoard:
        piece = b"x" * (1 << 20)
        for _ in range(640):
            hoard.write(piece)
        time.sleep(0.7)
        print("granted @MARK@:", len(hoard), "bytes")
    return position.legal_moves[0]
