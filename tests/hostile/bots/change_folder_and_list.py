"""Changes into a folder, then lists where it is.

kind: files
proof: leaked
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.chdir("@FOLDER@")
        print([entry.name for entry in os.scandir()])
    return position.legal_moves[0]
