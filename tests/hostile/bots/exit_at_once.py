"""Ends its process with success, without a word.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""

import os


def move(position):
    os._exit(0)
