"""Replaces the code inside the rule, which reaches those who hold the function already.

kind: in-process
proof: cheated
control: yes
expect: illegal
"""

from arena.game import Position

play = Position.play


def anything(self, cell):
    after = object.__new__(type(self))
    after._variant, after._history = self._variant, (*self._history, cell)
    after._mine, after._yours = self._yours, self._mine
    return after


def move(position):
    play.__code__ = anything.__code__
    return position.history[-1] if position.history else position.legal_moves[0]
