"""Makes a list of 640 MiB.

kind: own memory
proof: granted
control: yes
expect: memory, timeout, plays
"""

import time
from contextlib import suppress


def move(position):
    with suppress(MemoryError):
        hoard = [0] * (80 << 20)
        time.sleep(0.7)
        print("granted @MARK@:", len(hoard), "numbers")
    return position.legal_moves[0]
