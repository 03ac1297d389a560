"""Answers with an object that never finishes showing itself.

kind: wire
proof: none
control: no: it only answers
expect: timeout, garbage
"""


class Reply:
    def __repr__(self):
        while True:
            pass


def move(position):
    return Reply()
