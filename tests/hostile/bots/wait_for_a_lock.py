"""Waits for a lock that it holds itself.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""

import _thread


def move(position):
    lock = _thread.allocate_lock()
    lock.acquire()
    lock.acquire()
