"""Kills itself with SIGKILL, as the kernel would for want of memory.

kind: exits
proof: none
control: no: it only ends itself
expect: crash, plays
"""

import os
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.kill(os.getpid(), signal.SIGKILL)
    return position.legal_moves[0]
