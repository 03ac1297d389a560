"""Sleeps while it is being imported.

kind: time
proof: none
control: no: it only hurts itself
expect: no-start
"""

import time

time.sleep(600)


def move(position):
    return position.legal_moves[0]
