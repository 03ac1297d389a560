"""Makes a symbolic link for somebody to follow.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.symlink("/etc/passwd", "@FOLDER@/games.sqlite")
    return position.legal_moves[0]
