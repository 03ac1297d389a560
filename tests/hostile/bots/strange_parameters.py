"""Has a `move` that lies about its parameters.

kind: in-process
proof: none
control: no: it only fails to load
expect: plays, no-start, crash
"""


class Code:
    co_argcount = 10**9
    co_kwonlyargcount = -(10**9)
    co_flags = 0
    co_varnames = ("position", "clock") * 100


class Move:
    __code__ = Code
    __defaults__ = (None,) * 10

    def __call__(self, position, clock=None):
        return position.legal_moves[0]


move = Move()
