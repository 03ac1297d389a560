"""Walks up the stack to every position it finds there and closes all cells to the other side.

kind: in-process
proof: cheated
control: yes
expect: plays, crash
"""

import sys


def move(position):
    frame = sys._getframe().f_back
    while frame is not None:
        for thing in [*frame.f_globals.values(), *frame.f_locals.values()]:
            if type(thing) is type(position):
                thing._yours = 0
        frame = frame.f_back
    return position.legal_moves[0]
