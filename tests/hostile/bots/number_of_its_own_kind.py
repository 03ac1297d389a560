"""Answers with a number that claims to equal every other and shows itself as another.

kind: in-process
proof: none
control: no: it only answers
expect: plays
"""


class Cell(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __index__(self):
        return 99

    __int__ = __index__

    def __repr__(self):
        return "99"


def move(position):
    return Cell(position.legal_moves[0])
