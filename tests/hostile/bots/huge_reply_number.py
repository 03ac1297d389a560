"""Answers with a number of a million digits.

kind: wire
proof: none
control: no: it only answers
expect: illegal, garbage, crash, timeout
"""


def move(position):
    return 10**1_000_000
