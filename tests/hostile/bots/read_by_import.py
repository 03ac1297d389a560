"""Lets the import system read a foreign file for it.

kind: files
proof: leaked
control: yes
expect: plays
"""

import linecache
from contextlib import suppress


def move(position):
    with suppress(Exception):
        print(linecache.getline("@FOLDER@/secret.txt", 1))
    return position.legal_moves[0]
