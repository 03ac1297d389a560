"""Answers with an object whose destructor thinks on after the answer was taken.

kind: time
proof: none
control: no: it is charged for it and nobody else is
expect: timeout, plays, crash
"""


class Reply:
    def __init__(self, cell):
        self.cell = cell

    def __index__(self):
        return self.cell

    def __del__(self):
        while True:
            pass


def move(position):
    return Reply(position.legal_moves[0])
