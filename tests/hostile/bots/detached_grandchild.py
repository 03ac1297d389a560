"""Leaves a grandchild that belongs to nobody.

kind: processes
proof: process
control: yes
expect: plays
"""

import ctypes
import os
import time
from contextlib import suppress

PR_SET_NAME = 15


def haunt():
    try:
        os.setsid()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(PR_SET_NAME, b"@MARK@")
            time.sleep(8)
    finally:
        os._exit(0)


def move(position):
    with suppress(Exception):
        if os.fork() == 0:
            haunt()
    return position.legal_moves[0]
