"""Thinks on in a generator that is closed when the game's objects are dropped.

kind: time
proof: none
control: no: it is charged for it and nobody else is
expect: plays
"""


def thinking():
    try:
        yield
    finally:
        while True:
            pass


thought = thinking()
next(thought)


def move(position):
    return position.legal_moves[0]
