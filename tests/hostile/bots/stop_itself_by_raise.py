"""Stops itself by the C library's raise, which uses another system call.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout, plays
"""

import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        signal.raise_signal(signal.SIGSTOP)
    return position.legal_moves[0]
