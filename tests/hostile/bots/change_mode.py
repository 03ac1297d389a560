"""Takes away everybody's rights to a file, which Landlock does not forbid.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.chmod("@FOLDER@/victim.txt", 0)
    return position.legal_moves[0]
