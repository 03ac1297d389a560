"""Makes every position say that it is over, so that its first move wins.

kind: in-process
proof: cheated
control: yes
expect: plays
"""

from arena.game import Position


def move(position):
    Position.is_over = property(lambda self: True)
    return position.legal_moves[0]
