"""Raises an error that ends the process when it is shown.

kind: wire
proof: none
control: no: it only raises
expect: crash
"""

import os


class ExitingError(Exception):
    def __str__(self):  # noqa: PLE0307
        os._exit(0)


def move(position):
    raise ExitingError
