"""Starts two hundred threads (a bomb that stops itself).

kind: processes
proof: granted
control: yes
expect: plays
"""

import threading
import time
from contextlib import suppress


def move(position):
    started = 0
    with suppress(Exception):
        while started < 200:
            threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
            started += 1
    if started > 20:
        print(f"granted @MARK@: {started} threads")
    return position.legal_moves[0]
