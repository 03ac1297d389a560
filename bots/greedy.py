"""Leaves the opponent as little as possible. Teaches: try every claim, and compare what it leads to.

`position.play(cell)` does not change the position, it returns the next one; so any claim can be tried, and
nothing has to be taken back. Whoever cannot move loses: few moves for the opponent are good, and where that
is equal, many moves for oneself.

Strong where sides fight for room of their own (blockade-5x5). On blockade-line, where a claim closes the same
cells to both sides, it is hardly better than chance: there the question is who makes the last move, not how
many moves are left.
"""


def move(position):
    """Claim the cell that leaves the opponent the fewest moves."""
    return min(position.legal_moves, key=lambda cell: price(position, cell))


def price(position, cell):
    """Return what a claim leaves, the lower the better: the opponent's moves, then our own, then the cell.

    Tuples are compared from the left, so an entry counts only where all before it are equal. The cell comes
    last, so that no two claims are equal and every machine chooses alike.
    """
    after = position.play(cell)
    us, them = position.to_move, 1 - position.to_move
    return moves_left(after, them), -moves_left(after, us), cell


def moves_left(position, side):
    """Return how many cells a side may claim.

    It is `len(position.moves_of(side))`, only faster: `open` holds the same cells as bits of a number.
    """
    return position.open[side].bit_count()
