"""Answers with a legal cell plus 2**64, which is that cell to who keeps 64 bits.

kind: wire
proof: none
control: no: it only answers
expect: illegal, garbage
"""


def move(position):
    return position.legal_moves[0] + 2**64
