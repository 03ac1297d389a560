"""Doubles a string until it has 640 MiB.

kind: own memory
proof: granted
control: yes
expect: memory, timeout, plays
"""

import time
from contextlib import suppress


def move(position):
    hoard = "xxxxx"
    with suppress(MemoryError):
        while len(hoard) < 640 << 20:
            hoard += hoard
        time.sleep(0.7)
        print("granted @MARK@:", len(hoard), "letters")
    return position.legal_moves[0]
