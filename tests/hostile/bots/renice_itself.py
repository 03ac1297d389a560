"""Gives itself a higher priority than the referee has.

kind: processes
proof: granted
control: yes, given root
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.setpriority(os.PRIO_PROCESS, 0, -10)
        print("granted @MARK@: a higher priority")
    return position.legal_moves[0]
