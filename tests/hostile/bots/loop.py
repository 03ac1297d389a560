"""Loops for ever.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""


def move(position):
    while True:
        pass
