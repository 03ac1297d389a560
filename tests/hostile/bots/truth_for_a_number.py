"""Answers True, which equals 1.

kind: in-process
proof: none
control: no: it only answers
expect: garbage
"""


def move(position):
    return True
