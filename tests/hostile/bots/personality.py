"""Makes everything readable executable and memory addresses guessable.

kind: kernel corners
proof: granted
control: yes, given all_calls
expect: plays
"""

import ctypes
from contextlib import suppress

READ_IMPLIES_EXEC, ADDR_NO_RANDOMIZE = 0x0400000, 0x0040000


def move(position):
    with suppress(Exception):
        if ctypes.CDLL(None).personality(READ_IMPLIES_EXEC | ADDR_NO_RANDOMIZE) >= 0:
            print("granted @MARK@: another personality")
    return position.legal_moves[0]
