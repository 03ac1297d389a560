"""Keeps 150 MiB more with every move.

kind: own memory
proof: none
control: no: it only hurts itself
expect: memory, timeout, plays
"""

hoard = []


def move(position):
    hoard.append(b"x" * (150 << 20))
    return position.legal_moves[0]
