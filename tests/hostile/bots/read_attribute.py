"""Reads an extended attribute of a file, which Landlock does not forbid.

kind: files
proof: leaked
control: yes, given xattr
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        print(os.getxattr("@FOLDER@/secret.txt", "user.secret").decode())
    return position.legal_moves[0]
