"""Changes a file through shared memory.

kind: files
proof: touched
control: yes
expect: plays
"""

import mmap
from contextlib import suppress


def move(position):
    with suppress(Exception), open("@FOLDER@/victim.txt", "r+b") as file, mmap.mmap(file.fileno(), 0) as held:
        held[:4] = b"here"
    return position.legal_moves[0]
