"""Stops another process of the same user.

kind: processes
proof: victim
control: yes
expect: plays
"""

import os
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.kill(int("@VICTIM@"), signal.SIGSTOP)
    return position.legal_moves[0]
