"""Answers with a text of Arabic digits, which `int` accepts.

kind: wire
proof: none
control: no: it only answers
expect: garbage
"""


def move(position):
    return "\u0661"
