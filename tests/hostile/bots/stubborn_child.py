"""Leaves a child that ignores every signal that can be ignored.

kind: processes
proof: process
control: yes
expect: plays
"""

import ctypes
import os
import signal
import time
from contextlib import suppress

PR_SET_NAME = 15


def stay():
    try:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(Exception):
                signal.signal(number, signal.SIG_IGN)
        ctypes.CDLL(None).prctl(PR_SET_NAME, b"@MARK@")
        time.sleep(8)
    finally:
        os._exit(0)


def move(position):
    with suppress(Exception):
        if os.fork() == 0:
            stay()
    return position.legal_moves[0]
