"""Answers with an object whose __index__ returns a text.

kind: wire
proof: none
control: no: it only answers
expect: garbage
"""


class Reply:
    def __index__(self):
        return "0"  # noqa: PLE0305


def move(position):
    return Reply()
