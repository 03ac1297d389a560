"""Sets up a watch on all that happens in a file system.

kind: kernel corners
proof: granted
control: yes, given root and all_calls
expect: plays
"""

import ctypes
import os
from contextlib import suppress

FANOTIFY_INIT = {"x86_64": 300, "aarch64": 262}


def move(position):
    with suppress(Exception):
        if ctypes.CDLL(None).syscall(FANOTIFY_INIT[os.uname().machine], 0, 0) >= 0:
            print("granted @MARK@: a watch")
    return position.legal_moves[0]
