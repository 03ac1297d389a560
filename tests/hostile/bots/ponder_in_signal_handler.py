"""Thinks on in a signal handler while the other bot is to move, which needs no thread.

kind: time
proof: none
control: no: it is charged for it and nobody else is
expect: timeout, plays, crash
"""

import signal
import time
from contextlib import suppress


def ponder(number, frame):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        pass


def move(position):
    with suppress(Exception):
        signal.signal(signal.SIGALRM, ponder)
        signal.setitimer(signal.ITIMER_REAL, 0.00005)
    return position.legal_moves[0]
