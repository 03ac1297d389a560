"""Moves away from the core it was pinned to, onto every core of the machine.

kind: processes
proof: granted
control: yes, given cores
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.sched_setaffinity(0, range(os.cpu_count()))
        if len(os.sched_getaffinity(0)) > 1:
            print("granted @MARK@: more than one core")
    return position.legal_moves[0]
