"""Prints 16 MiB to its standard error.

kind: wire
proof: none
control: no: it only prints
expect: plays, timeout
"""

import sys


def move(position):
    for _ in range(16):
        print("x" * (1 << 20), file=sys.stderr)
    return position.legal_moves[0]
