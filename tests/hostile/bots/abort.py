"""Aborts.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""

import os


def move(position):
    os.abort()
