"""Cuts a file off by its path, without opening it.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.truncate("@FOLDER@/victim.txt", 0)
    return position.legal_moves[0]
