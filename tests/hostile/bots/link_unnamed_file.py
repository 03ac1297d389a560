"""Writes a file without a name and gives it one afterwards.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        held = os.open("@FOLDER@", os.O_TMPFILE | os.O_RDWR)
        os.link(f"/proc/self/fd/{held}", "@FOLDER@/named", src_dir_fd=0, follow_symlinks=True)
    return position.legal_moves[0]
