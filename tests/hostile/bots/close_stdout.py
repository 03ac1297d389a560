"""Closes its standard output and error.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash
"""

import sys


def move(position):
    sys.stdout.close()
    sys.stderr.close()
    return position.legal_moves[0]
