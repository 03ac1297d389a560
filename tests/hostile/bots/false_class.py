"""Answers with an object that says that its class is int, and is none.

kind: in-process
proof: none
control: no: it only answers
expect: garbage, crash, illegal
"""


class Reply:
    __class__ = int

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return True


def move(position):
    return Reply()
