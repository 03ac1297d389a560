"""Fills the table behind the legal moves with cells that are none.

kind: in-process
proof: none
control: no: the referee does not ask for it
expect: illegal, crash, garbage
"""


def move(position):
    table = position.variant.cells_of
    table.update(dict.fromkeys([*table, position._mine], (10**6,)))
    return position.legal_moves[0]
