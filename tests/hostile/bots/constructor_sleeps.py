"""Sleeps in the constructor of its class.

kind: time
proof: none
control: no: it only hurts itself
expect: no-start, timeout
"""

import time


class Bot:
    def __init__(self, game):
        time.sleep(600)

    def move(self, position):
        return position.legal_moves[0]
