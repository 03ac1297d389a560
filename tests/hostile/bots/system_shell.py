"""Starts a shell.

kind: processes
proof: process
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.system("@MARK@=1 /bin/sleep 8 &")
    return position.legal_moves[0]
