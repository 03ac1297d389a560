"""Floods another process with ten thousand queued signals.

kind: processes
proof: victim
control: yes
expect: plays
"""

import ctypes
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        libc = ctypes.CDLL(None)
        for _ in range(10_000):
            libc.sigqueue(int("@VICTIM@"), signal.SIGRTMIN, None)
    return position.legal_moves[0]
