"""Makes a folder.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.mkdir("@FOLDER@/results")
    return position.legal_moves[0]
