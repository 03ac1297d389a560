"""Closes every descriptor, those to the referee among them.

kind: descriptors
proof: none
control: no: it only cuts its own lines
expect: crash, timeout, garbage
"""

import os


def move(position):
    os.closerange(0, 1024)
    return position.legal_moves[0]
