"""Thinks on in a thread while the other bot is to move.

kind: time
proof: granted
control: yes
expect: plays, timeout
"""

import threading
import time
from contextlib import suppress


def ponder():
    until = time.monotonic() + 15
    while time.monotonic() < until:
        pass


def move(position):
    with suppress(Exception):
        threading.Thread(target=ponder, daemon=True).start()
        print("granted @MARK@: a thread")
    return position.legal_moves[0]
