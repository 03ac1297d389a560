"""Kills its parent process, which may be the referee.

kind: processes
proof: victim
control: yes
expect: plays
"""

import os
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        if os.getppid() > 1:
            os.kill(os.getppid(), signal.SIGKILL)
    return position.legal_moves[0]
