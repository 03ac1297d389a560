"""Answers with an object that raises SystemExit when it is shown.

kind: wire
proof: none
control: no: it only answers
expect: garbage, crash
"""


class Reply:
    def __repr__(self):
        raise SystemExit(0)


def move(position):
    return Reply()
