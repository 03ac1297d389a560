"""Answers with an object whose __index__ ends the process.

kind: wire
proof: none
control: no: it only answers
expect: crash
"""

import os


class Reply:
    def __index__(self):  # noqa: PLE0305
        os._exit(0)


def move(position):
    return Reply()
