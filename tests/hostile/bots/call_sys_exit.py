"""Calls sys.exit.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""

import sys


def move(position):
    sys.exit(0)
