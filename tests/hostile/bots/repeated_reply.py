"""Listens to what the runner writes as its reply and writes it again each time.

kind: wire
proof: none
control: no: it can only spoil its own lines
expect: garbage, crash, timeout, illegal, plays
"""

import os

write = os.write


def twice(descriptor, data):
    write(descriptor, data)
    return write(descriptor, data)


def move(position):
    os.write = twice
    return position.legal_moves[0]
