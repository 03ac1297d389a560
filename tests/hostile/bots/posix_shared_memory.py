"""Makes shared memory with a name, through which two bots could talk.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        from _posixshmem import shm_open

        shm_open("/@MARK@", os.O_CREAT | os.O_RDWR, 0o600)
    return position.legal_moves[0]
