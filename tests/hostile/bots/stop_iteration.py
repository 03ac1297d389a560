"""Raises StopIteration, which ends a loop of whoever lets it pass.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""


def move(position):
    raise StopIteration(position.legal_moves[0])
