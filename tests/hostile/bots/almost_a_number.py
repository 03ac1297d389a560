"""Answers with a float that equals a legal cell.

kind: wire
proof: none
control: no: it only answers
expect: garbage
"""


def move(position):
    return float(position.legal_moves[0])
