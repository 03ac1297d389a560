"""Answers with an object whose __index__ never returns.

kind: wire
proof: none
control: no: it only answers
expect: timeout
"""


class Reply:
    def __index__(self):  # noqa: PLE0305
        while True:
            pass


def move(position):
    return Reply()
