"""Turns into another program.

kind: processes
proof: process
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.execv("/bin/sleep", ["@MARK@", "8"])
    return position.legal_moves[0]
