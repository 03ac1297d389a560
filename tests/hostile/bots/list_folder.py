"""Lists a folder.

kind: files
proof: leaked
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        print(os.listdir("@FOLDER@"))
    return position.legal_moves[0]
