"""Opens a file relative to every descriptor it has inherited, a folder perhaps among them.

kind: descriptors
proof: leaked
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    for descriptor in range(512):
        with suppress(OSError):
            print(os.read(os.open("secret.txt", os.O_RDONLY, dir_fd=descriptor), 100))
    return position.legal_moves[0]
