"""Loops in C, in one long power, where no signal is looked at.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""


def move(position):
    return pow(3, 1 << 10_000_000, 10**1000 + 1)
