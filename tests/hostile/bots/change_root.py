"""Changes its root folder, by which root escapes from a changed root.

kind: kernel corners
proof: granted
control: yes, given root
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.chroot("@FOLDER@/empty")
        print("granted @MARK@: another root")
    return position.legal_moves[0]
