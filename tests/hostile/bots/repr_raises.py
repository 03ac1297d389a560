"""Answers with an object that cannot be shown.

kind: wire
proof: none
control: no: it only answers
expect: garbage
"""


class Reply:
    def __repr__(self):
        raise ValueError(self)


def move(position):
    return Reply()
