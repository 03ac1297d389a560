"""Raises an error that says it is an instance of whatever it is compared with.

kind: in-process
proof: none
control: no: it only raises
expect: crash, garbage, memory
"""


class ChameleonError(Exception):
    @property
    def __class__(self):
        return MemoryError


def move(position):
    raise ChameleonError
