"""Blocks and ignores every signal, then loops.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""

import signal
from contextlib import suppress


def move(position):
    for number in signal.valid_signals():
        with suppress(Exception):
            signal.signal(number, signal.SIG_IGN)
    with suppress(Exception):
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass
