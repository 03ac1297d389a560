"""Thinks on whenever the runner calls or returns from a function.

kind: time
proof: none
control: no: it is charged for it and nobody else is
expect: timeout, plays, crash
"""

import sys


def ponder(frame, event, argument):
    if frame.f_code.co_filename != __file__:
        while True:
            pass


def move(position):
    sys.setprofile(ponder)
    return position.legal_moves[0]
