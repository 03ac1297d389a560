"""Starts another program and leaves it running.

kind: processes
proof: process
control: yes
expect: plays
"""

import subprocess
from contextlib import suppress


def move(position):
    with suppress(Exception):
        subprocess.Popen(["@MARK@", "8"], executable="/bin/sleep")
    return position.legal_moves[0]
