"""Aborts while it is being imported.

kind: exits
proof: none
control: no: it only ends itself
expect: no-start
"""

import os

os.abort()


def move(position):
    return position.legal_moves[0]
