"""Pins another process to one core.

kind: processes
proof: victim
control: yes, given cores
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.sched_setaffinity(int("@VICTIM@"), {min(os.sched_getaffinity(int("@VICTIM@")))})
    return position.legal_moves[0]
