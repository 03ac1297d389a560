"""Fills pipes with 640 MiB, which is the kernel's memory and not the process's.

kind: own memory
proof: granted
control: yes, given root
expect: memory, timeout, plays
"""

import fcntl
import os
import resource
import time
from contextlib import suppress


def move(position):
    held, piece = 0, b"x" * (1 << 20)
    with suppress(MemoryError, OSError, ValueError):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with suppress(MemoryError, OSError):
        for _ in range(640):
            _, writer = os.pipe()
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 20)
            os.set_blocking(writer, False)
            held += os.write(writer, piece)
    if held > 600 << 20:
        time.sleep(0.7)
        print("granted @MARK@:", held, "bytes in pipes")
    return position.legal_moves[0]
