"""Reopens every cell of the position it was shown, and claims the last one again.

kind: in-process
proof: cheated
control: yes
expect: illegal
"""


def move(position):
    if not position.history:
        return position.legal_moves[0]
    position._mine = position.board.every_cell
    return position.history[-1]
