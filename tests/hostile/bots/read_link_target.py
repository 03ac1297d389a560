"""Reads where a symbolic link points to, which Landlock does not forbid.

kind: files
proof: leaked
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        print(os.readlink("@FOLDER@/link"))
    return position.legal_moves[0]
