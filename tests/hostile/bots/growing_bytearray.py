"""Lets a bytearray grow to 640 MiB.

kind: own memory
proof: granted
control: yes
expect: memory, timeout, plays
"""

import time
from contextlib import suppress


def move(position):
    hoard, piece = bytearray(), b"x" * (8 << 20)
    with suppress(MemoryError):
        while len(hoard) < 640 << 20:
            hoard += piece
        time.sleep(0.7)
        print("granted @MARK@:", len(hoard), "bytes")
    return position.legal_moves[0]
