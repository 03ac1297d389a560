"""Answers with an object that cannot be shown, of a class whose name cannot be told.

kind: in-process
proof: none
control: no: it only answers
expect: garbage, crash
"""


class Nameless(type):
    @property
    def __name__(cls):
        raise SystemExit(0)


class Reply(metaclass=Nameless):
    def __repr__(self):
        raise ValueError


def move(position):
    return Reply()
