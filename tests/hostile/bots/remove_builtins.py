"""Removes every built-in name.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout
"""

import builtins


def move(position):
    cell = position.legal_moves[0]
    vars(builtins).clear()
    return cell
