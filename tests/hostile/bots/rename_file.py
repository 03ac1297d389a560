"""Puts one file in the place of another.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.rename("@FOLDER@/secret.txt", "@FOLDER@/victim.txt")
    return position.legal_moves[0]
