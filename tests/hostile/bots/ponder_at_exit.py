"""Loops for ever when its process is asked to end.

kind: time
proof: none
control: no: it only hurts itself
expect: plays
"""

import atexit


def ponder():
    while True:
        pass


atexit.register(ponder)


def move(position):
    return position.legal_moves[0]
