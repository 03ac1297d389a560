"""Raises an error of a class whose name cannot be told.

kind: in-process
proof: none
control: no: it only raises
expect: crash, garbage
"""


class Nameless(type):
    @property
    def __name__(cls):
        raise SystemExit(0)


class AnonymousError(Exception, metaclass=Nameless):
    pass


def move(position):
    raise AnonymousError
