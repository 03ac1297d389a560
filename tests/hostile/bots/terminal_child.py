"""Starts a program on a terminal of its own.

kind: processes
proof: process
control: yes
expect: plays
"""

import os
import pty
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        child, _ = pty.fork()
        if child == 0:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # sent when the terminal goes with its parent
            os.execv("/bin/sleep", ["@MARK@", "8"])
    return position.legal_moves[0]
