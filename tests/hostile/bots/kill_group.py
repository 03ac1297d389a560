"""Kills another process group.

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
        os.killpg(int("@VICTIM@"), signal.SIGTERM)
    return position.legal_moves[0]
