"""Empties the list of modules, so that everything imported later is missing or new.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout
"""

import sys


def move(position):
    for name in list(sys.modules):
        if name != "sys":
            sys.modules[name] = None
    return position.legal_moves[0]
