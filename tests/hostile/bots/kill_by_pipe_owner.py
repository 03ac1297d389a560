"""Makes another process the owner of a pipe, so that the kernel sends it the deadly signal.

kind: processes
proof: victim
control: yes
expect: plays
"""

import fcntl
import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETOWN, int("@VICTIM@"))
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writer, b"x")
    return position.legal_moves[0]
