"""Removes a folder.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.rmdir("@FOLDER@/empty")
    return position.legal_moves[0]
