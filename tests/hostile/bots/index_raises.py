"""Answers with an object whose __index__ raises.

kind: wire
proof: none
control: no: it only answers
expect: crash, garbage
"""


class Reply:
    def __index__(self):
        raise KeyError("no-moves")


def move(position):
    return Reply()
