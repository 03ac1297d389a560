"""Lets a timer interrupt its process ten thousand times a second from now on.

kind: time
proof: none
control: no: it only hurts itself
expect: plays, timeout, crash
"""

import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        signal.signal(signal.SIGALRM, lambda number, frame: None)
        signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
    return position.legal_moves[0]
