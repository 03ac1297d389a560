"""Makes a hard link to a file.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.link("@FOLDER@/secret.txt", "@FOLDER@/empty/copy.txt")
    return position.legal_moves[0]
