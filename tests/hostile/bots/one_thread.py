"""Starts a single thread, to think with two heads.

kind: processes
proof: granted
control: yes
expect: plays
"""

import _thread
import time
from contextlib import suppress


def move(position):
    with suppress(Exception):
        _thread.start_new_thread(time.sleep, (1,))
        print("granted @MARK@: a thread")
    return position.legal_moves[0]
