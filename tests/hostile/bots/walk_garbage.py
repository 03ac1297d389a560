"""Finds every position in memory, reopens its cells, and claims the last one again.

kind: in-process
proof: cheated
control: yes
expect: illegal
"""

import gc


def move(position):
    for thing in gc.get_objects():
        if type(thing) is type(position):
            thing._mine = thing._yours = thing.board.every_cell
    return position.history[-1] if position.history else position.legal_moves[0]
