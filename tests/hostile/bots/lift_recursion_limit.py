"""Lifts the limit on recursion for everybody in its process.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays
"""

import sys


def move(position):
    sys.setrecursionlimit(2**31 - 1)
    return position.legal_moves[0]
