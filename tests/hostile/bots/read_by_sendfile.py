"""Lets the kernel copy a file to its standard output.

kind: files
proof: leaked
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception), open("@FOLDER@/secret.txt", "rb") as file:
        os.sendfile(1, file.fileno(), 0, 1000)
    return position.legal_moves[0]
