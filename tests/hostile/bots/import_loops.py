"""Loops for ever while it is being imported.

kind: time
proof: none
control: no: it only hurts itself
expect: no-start
"""

while True:
    pass


def move(position):
    return position.legal_moves[0]
