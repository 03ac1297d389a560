"""Turns into a program that it wrote into memory, so that no file needs to be executable.

kind: kernel corners
proof: process
control: yes, given x86_64
expect: plays
"""

import os
import struct
from contextlib import suppress

# mov edi, 8; mov eax, 37 (alarm); syscall; mov eax, 34 (pause); syscall
CODE = b"\xbf\x08\0\0\0\xb8\x25\0\0\0\x0f\x05\xb8\x22\0\0\0\x0f\x05"
HEADER = (
    b"\x7fELF\x02\x01\x01"
    + bytes(9)
    + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 0, 0, 0)
)
SEGMENT = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 200, 200, 4096)


def move(position):
    with suppress(Exception):
        program = os.memfd_create("program")
        os.write(program, HEADER + SEGMENT + CODE)
        os.execve(program, ["@MARK@"], {})
    return position.legal_moves[0]
