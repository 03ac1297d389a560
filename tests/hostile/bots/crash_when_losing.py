"""Dies by a signal once the game is under way, so that it might be played again.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""

import ctypes


def move(position):
    if position.history:
        ctypes.string_at(0)
    return position.legal_moves[0]
