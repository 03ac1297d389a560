"""Recurses through C code until its stack overflows.

kind: own memory
proof: none
control: no: it only hurts itself
expect: crash, memory, timeout
"""

import sys


class Endless:
    def __repr__(self):
        return repr([self])


def move(position):
    sys.setrecursionlimit(2**31 - 1)
    return repr(Endless())
