"""Stops itself while it is being imported.

kind: time
proof: none
control: no: it only hurts itself
expect: no-start, plays
"""

import os
import signal
from contextlib import suppress

with suppress(Exception):
    os.kill(os.getpid(), signal.SIGSTOP)


def move(position):
    return position.legal_moves[0]
