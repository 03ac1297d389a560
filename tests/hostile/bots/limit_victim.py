"""Takes another process's right to open files.

kind: processes
proof: victim
control: yes
expect: plays
"""

import resource
from contextlib import suppress


def move(position):
    with suppress(Exception):
        resource.prlimit(int("@VICTIM@"), resource.RLIMIT_NOFILE, (8, 8))
    return position.legal_moves[0]
