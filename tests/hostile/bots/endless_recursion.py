"""Calls itself for ever, having lifted the limit on that.

kind: own memory
proof: none
control: no: it only hurts itself
expect: memory, timeout, crash
"""

import sys


def again():
    return again()


def move(position):
    sys.setrecursionlimit(2**31 - 1)
    return again()
