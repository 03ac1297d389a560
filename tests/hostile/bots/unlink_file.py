"""Deletes a file.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.unlink("@FOLDER@/victim.txt")
    return position.legal_moves[0]
