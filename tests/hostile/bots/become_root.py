"""Sets its user to root and gives a file away, as only root may.

kind: kernel corners
proof: touched
control: yes, given root
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.setresuid(0, 0, 0)
        os.chown("@FOLDER@/victim.txt", 1, 1)
    return position.legal_moves[0]
