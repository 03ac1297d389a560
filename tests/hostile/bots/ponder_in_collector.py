"""Thinks on whenever the garbage collector runs, whoever it runs for.

kind: time
proof: none
control: no: it is charged for it and nobody else is
expect: timeout, plays, crash
"""

import gc


def ponder(phase, info):
    while True:
        pass


def move(position):
    gc.callbacks.append(ponder)
    gc.set_threshold(1)
    return position.legal_moves[0]
