"""Kills another process through a handle on it.

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
        signal.pidfd_send_signal(os.pidfd_open(int("@VICTIM@")), signal.SIGKILL)
    return position.legal_moves[0]
