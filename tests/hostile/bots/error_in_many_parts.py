"""Raises a group of errors, each with causes, whose traceback is endless.

kind: wire
proof: none
control: no: it only raises
expect: crash, memory, timeout
"""


def grow(depth):
    try:
        raise ExceptionGroup("x", [grow(depth - 1), grow(depth - 1)] if depth else [ValueError("\x1b[2J")])
    except ExceptionGroup as error:
        error.__cause__ = error.exceptions[0]
        return error


def move(position):
    raise grow(12)
