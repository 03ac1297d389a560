"""Raises an error whose message never comes.

kind: wire
proof: none
control: no: it only raises
expect: timeout, crash
"""


class HangingError(Exception):
    def __str__(self):  # noqa: PLE0307
        while True:
            pass


def move(position):
    raise HangingError
