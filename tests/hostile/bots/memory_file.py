"""Fills 640 MiB of a file in memory, which no process's size shows.

kind: own memory
proof: granted
control: yes
expect: memory, timeout, plays
"""

import os
import time
from contextlib import suppress


def move(position):
    with suppress(MemoryError, OSError):
        hoard, piece = os.memfd_create("hoard"), b"x" * (1 << 20)
        for _ in range(640):
            os.write(hoard, piece)
        time.sleep(0.7)
        print("granted @MARK@:", os.fstat(hoard).st_size, "bytes")
        os.close(hoard)
    return position.legal_moves[0]
