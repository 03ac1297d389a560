"""Leaves the process group by which it would be killed, and stays for a while.

kind: processes
proof: process
control: yes
expect: timeout
"""

import ctypes
import os
import time
from contextlib import suppress

PR_SET_NAME = 15


def move(position):
    with suppress(Exception):
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_NAME, b"@MARK@")
    time.sleep(15)
    return position.legal_moves[0]
