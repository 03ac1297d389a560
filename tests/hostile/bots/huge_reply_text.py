"""Answers with fifty million digits.

kind: wire
proof: none
control: no: it only answers
expect: garbage, memory, timeout
"""


def move(position):
    return "9" * 50_000_000
