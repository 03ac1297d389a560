"""Answers with an object that is another number each time it is asked.

kind: wire
proof: none
control: no: it only answers
expect: plays, illegal
"""

from itertools import chain, repeat


class Reply:
    def __init__(self, cell):
        self.cells = chain([cell], repeat(-1))

    def __index__(self):
        return next(self.cells)


def move(position):
    return Reply(position.legal_moves[0])
