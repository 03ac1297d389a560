"""Prints 16 MiB.

kind: wire
proof: none
control: no: it only prints
expect: plays, timeout
"""


def move(position):
    for _ in range(16):
        print("x" * (1 << 20))
    return position.legal_moves[0]
