"""Loops in C, in a sum that takes hours.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""


def move(position):
    return sum(range(10**13))
