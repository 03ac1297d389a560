"""Starts another program by posix_spawn, which is a system call of its own kind.

kind: processes
proof: process
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.posix_spawn("/bin/sleep", ["@MARK@", "8"], {})
    return position.legal_moves[0]
