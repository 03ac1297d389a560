"""Lets a child process do the thinking, on the other core and on nobody's clock.

kind: time
proof: process
control: yes
expect: plays, timeout
"""

import ctypes
import os
import time
from contextlib import suppress

PR_SET_NAME = 15


def ponder():
    try:
        ctypes.CDLL(None).prctl(PR_SET_NAME, b"@MARK@")
        until = time.monotonic() + 8
        while time.monotonic() < until:
            pass
    finally:
        os._exit(0)


def move(position):
    with suppress(Exception):
        if os.fork() == 0:
            ponder()
    return position.legal_moves[0]
