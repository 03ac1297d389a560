"""Loops for ever in the constructor of its class.

kind: time
proof: none
control: no: it only hurts itself
expect: no-start, timeout
"""


class Bot:
    def __init__(self, game):
        while True:
            pass

    def move(self, position):
        return position.legal_moves[0]
