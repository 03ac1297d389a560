"""Makes a named pipe, through which two bots could talk.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.mkfifo("@FOLDER@/pipe")
    return position.legal_moves[0]
