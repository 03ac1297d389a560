"""Changes the table of claims so that its own close the whole board to the other side.

kind: in-process
proof: cheated
control: yes
expect: plays, crash
"""


def move(position):
    every = position.board.every_cell
    for cell in range(position.board.size):
        position.variant.claims[cell] = (cell, 1 << cell, every, 0)
    return position.legal_moves[0]
