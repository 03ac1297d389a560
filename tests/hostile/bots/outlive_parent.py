"""Cancels the signal that would end it with its parent, and kills the parent.

kind: processes
proof: granted
control: yes
expect: plays
"""

import ctypes
import os
import signal
import time
from contextlib import suppress

PR_SET_PDEATHSIG = 1


def move(position):
    with suppress(Exception):
        if os.getppid() > 1:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0)
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(0.3)
            print("granted @MARK@: a life after its parent's")
    return position.legal_moves[0]
