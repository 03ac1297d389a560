"""Ends its process when its answer is dropped.

kind: exits
proof: none
control: no: it only ends itself
expect: crash, plays
"""

import os


class Reply:
    def __init__(self, cell):
        self.cell = cell

    def __index__(self):
        return self.cell

    def __del__(self):
        os._exit(0)


def move(position):
    return Reply(position.legal_moves[0])
