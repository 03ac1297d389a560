"""Reserves room on the disk without writing a byte (64 MiB).

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception), open("@FOLDER@/large", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 64 << 20)
    return position.legal_moves[0]
