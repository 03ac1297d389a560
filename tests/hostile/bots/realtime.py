"""Makes itself a real-time process, which starves all others.

kind: processes
proof: granted
control: yes, given root
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        print("granted @MARK@: real time")
    return position.legal_moves[0]
