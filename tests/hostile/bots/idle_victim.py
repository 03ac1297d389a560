"""Lets another process run only when nobody else wants to.

kind: processes
proof: victim
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.sched_setscheduler(int("@VICTIM@"), os.SCHED_IDLE, os.sched_param(0))
    return position.legal_moves[0]
