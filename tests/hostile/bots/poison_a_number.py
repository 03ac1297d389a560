"""Changes the number one of its interpreter to two.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout, illegal, memory
"""

import ctypes


def move(position):
    cell = position.legal_moves[0]
    ctypes.c_uint32.from_address(id(1) + int.__basicsize__).value = 2
    return cell
