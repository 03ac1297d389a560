"""Makes a device file, such as that of the machine's memory.

kind: files
proof: touched
control: yes, given root
expect: plays
"""

import os
import stat
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.mknod("@FOLDER@/null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    return position.legal_moves[0]
