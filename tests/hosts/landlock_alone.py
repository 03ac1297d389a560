"""Runs a module where namespaces are refused, as in many containers: `python -m tests.hosts.landlock_alone MODULE ...`.

A filter of system calls refuses them, which every process started from here inherits.
"""

import ctypes
import errno
import os
import runpy
import struct
import sys

from arena.sandbox.syscalls import call, libc

UNSHARE = {"x86_64": 272, "aarch64": 97}
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE3 = 435
CLONE_NEW = 0x7E020000
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
LOAD, JUMP_EQUAL, JUMP_BITS, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, FLAGS = 0, 16


def refuse_namespaces() -> None:
    """Have no process from here on make a namespace."""
    machine = os.uname().machine
    program = [
        (LOAD, 0, 0, NUMBER),
        (JUMP_EQUAL, 0, 1, UNSHARE[machine]),
        (RETURN, 0, 0, ERRNO | errno.EPERM),
        (JUMP_EQUAL, 0, 1, CLONE3),
        (RETURN, 0, 0, ERRNO | errno.ENOSYS),
        (JUMP_EQUAL, 0, 3, CLONE[machine]),
        (LOAD, 0, 0, FLAGS),
        (JUMP_BITS, 0, 1, CLONE_NEW),
        (RETURN, 0, 0, ERRNO | errno.EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    data = b"".join(struct.pack("=HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(data, len(data))
    libc("prctl", 38, 1, 0, 0, 0)  # no new privileges
    call("seccomp", 1, 0, struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer)))


if __name__ == "__main__":
    refuse_namespaces()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
