"""Sends SIGINT to its own process group, as Ctrl-C does.

kind: exits
proof: none
control: no: it only ends itself
expect: crash, plays
"""

import os
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.kill(os.getpid(), signal.SIGINT)
    return position.legal_moves[0]
