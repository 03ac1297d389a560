"""Raises an error with a message of 100 MB.

kind: wire
proof: none
control: no: it only raises
expect: crash, memory
"""


def move(position):
    raise ValueError("x" * 100_000_000)
