"""Reads the environment of its parent process.

kind: files
proof: leaked
control: yes, given ptrace
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception), open(f"/proc/{os.getppid()}/environ", errors="replace") as file:
        print(file.read())
    return position.legal_moves[0]
