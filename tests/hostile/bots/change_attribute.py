"""Leaves a message in an extended attribute of a file, which Landlock does not forbid.

kind: files
proof: touched
control: yes, given xattr
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.setxattr("@FOLDER@/victim.txt", "user.message", b"was here")
    return position.legal_moves[0]
