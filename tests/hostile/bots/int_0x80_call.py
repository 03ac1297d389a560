"""Kills another process by a 32-bit system call, made by machine code of its own.

kind: kernel corners
proof: victim
control: yes, given x86_64 and all_calls
expect: plays, crash
"""

import ctypes
import mmap
import os
from contextlib import suppress

# push rbx; mov eax, 37 (kill); mov ebx, VICTIM; mov ecx, 9; int 0x80; pop rbx; ret
VICTIM = int("@VICTIM@").to_bytes(4, "little")
CODE = b"\x53\xb8\x25\0\0\0\xbb" + VICTIM + b"\xb9\x09\0\0\0\xcd\x80\x5b\xc3"


def move(position):
    with suppress(Exception):
        if os.uname().machine == "x86_64":
            code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            code.write(CODE)
            ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    return position.legal_moves[0]
