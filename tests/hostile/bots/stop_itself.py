"""Stops itself, as if it were suspended.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout, plays
"""

import os
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.kill(os.getpid(), signal.SIGSTOP)
    return position.legal_moves[0]
