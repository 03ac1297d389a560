"""Gives a file to somebody else, which Landlock does not forbid.

kind: files
proof: touched
control: yes, given root
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.chown("@FOLDER@/victim.txt", 1, 1)
    return position.legal_moves[0]
