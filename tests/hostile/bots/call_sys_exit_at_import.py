"""Calls sys.exit while it is being imported.

kind: exits
proof: none
control: no: it only ends itself
expect: no-start
"""

import sys

sys.exit(0)


def move(position):
    return position.legal_moves[0]
