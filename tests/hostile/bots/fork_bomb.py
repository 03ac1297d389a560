"""Starts a hundred processes (a bomb that stops itself).

kind: processes
proof: granted
control: yes
expect: plays
"""

import os
import signal
import time
from contextlib import suppress


def move(position):
    children = []
    with suppress(Exception):
        while len(children) < 100:
            child = os.fork()
            if child == 0:
                time.sleep(5)
                os._exit(0)
            children.append(child)
    if len(children) > 20:
        print(f"granted @MARK@: {len(children)} processes")
    for child in children:
        with suppress(Exception):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return position.legal_moves[0]
