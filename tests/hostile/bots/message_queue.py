"""Makes a POSIX message queue, through which two bots could talk.

kind: files
proof: touched
control: yes
expect: plays
"""

import ctypes
import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        ctypes.CDLL(None).mq_open(b"/@MARK@", os.O_CREAT | os.O_RDWR, 0o600, None)
    return position.legal_moves[0]
