"""Has a `move` that breaks whoever looks at its parameters.

kind: in-process
proof: none
control: no: it only fails to load
expect: no-start, crash
"""


class Move:
    @property
    def __code__(self):
        raise SystemExit(0)

    def __call__(self, position):
        return position.legal_moves[0]


move = Move()
