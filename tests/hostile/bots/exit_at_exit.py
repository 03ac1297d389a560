"""Aborts when its process is asked to end.

kind: exits
proof: none
control: no: it only ends itself
expect: plays
"""

import atexit
import os

atexit.register(os.abort)


def move(position):
    return position.legal_moves[0]
