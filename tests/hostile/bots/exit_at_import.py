"""Ends its process with success while it is being imported.

kind: exits
proof: none
control: no: it only ends itself
expect: no-start
"""

import os

os._exit(0)


def move(position):
    return position.legal_moves[0]
