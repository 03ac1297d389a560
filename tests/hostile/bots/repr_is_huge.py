"""Answers with an object that shows itself in 300 MB.

kind: wire
proof: none
control: no: it only answers
expect: garbage, memory, timeout
"""


class Reply:
    def __repr__(self):
        return "x" * 300_000_000


def move(position):
    return Reply()
