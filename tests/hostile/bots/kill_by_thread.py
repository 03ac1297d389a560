"""Kills another process by tgkill, which filters on kill do not see.

kind: processes
proof: victim
control: yes
expect: plays
"""

import ctypes
import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        ctypes.CDLL(None).tgkill(int("@VICTIM@"), int("@VICTIM@"), signal.SIGKILL)
    return position.legal_moves[0]
