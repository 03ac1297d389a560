"""Answers with -1, which is the last cell to who indexes a list.

kind: wire
proof: none
control: no: it only answers
expect: illegal, garbage
"""


def move(position):
    return -1
