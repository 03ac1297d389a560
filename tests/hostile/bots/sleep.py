"""Sleeps, which costs no CPU.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""

import time


def move(position):
    time.sleep(600)
