"""Replaces the rule that says which moves are legal.

kind: in-process
proof: cheated
control: yes
expect: illegal, crash
"""

from arena.game import Position


def play(self, cell):
    after = object.__new__(Position)
    after._variant, after._history = self._variant, (*self._history, cell)
    after._mine, after._yours = self._yours, self._mine
    return after


def move(position):
    Position.play = play
    return position.history[-1] if position.history else position.legal_moves[0]
