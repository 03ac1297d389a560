"""Makes a number of 680 MiB.

kind: own memory
proof: granted
control: yes
expect: memory, timeout, plays
"""

import time
from contextlib import suppress


def move(position):
    with suppress(MemoryError):
        hoard = 1 << (640 << 23)
        time.sleep(0.7)
        print("granted @MARK@:", hoard.bit_length(), "bits")
    return position.legal_moves[0]
