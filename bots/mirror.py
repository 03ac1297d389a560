"""Answers on the opposite side of the board. Teaches: a proof can do without any search.

Cell `i` lies opposite cell `size - 1 - i`; on lines, rings, grids, tori and hexagons opposite cells have
opposite neighbours. Suppose that after our move we may claim the opposite of every cell that the opponent
may claim. Then we answer each claim opposite it, which closes the same cells the other way round, and it is
so again: we always have an answer, and it is never we who cannot move. One thing alone can spoil it: a claim
that closes its own opposite to us.

- Col (grid-block): a claim closes no cell but itself to the other side. Where the number of cells is even, no
  cell is its own opposite, and the second side always has its answer: a proven win.
- Kayles and snort on lines with an odd number of cells (blockade-line), and on grids with odd rows and
  columns (blockade-5x5): no cell touches its opposite, but the centre is its own. The first side takes it,
  and from then on it is the one who answers: a proven win.
- Elsewhere nothing is proven. With kayles or snort on even boards (blockade-4x4, grid-lock) cells in the
  middle touch their opposites; with col the centre closes its neighbours to its owner alone; and an opening
  may have spoilt the symmetry. The bot then mirrors while it can, and otherwise leaves few replies.
"""


def move(position):
    """Claim the cell opposite the last claim, else the centre, else what leaves the fewest replies."""
    for cell in symmetric_claims(position):
        if cell in position.legal_moves:
            return cell
    return min(position.legal_moves, key=lambda cell: replies(position.play(cell)))


def symmetric_claims(position):
    """Return the claims that can make the board symmetric, the best first; they may be illegal."""
    last = position.board.size - 1
    opposite = [last - cell for cell in position.history[-1:]]  # nothing before the first move
    centre = [last // 2] if last % 2 == 0 else []
    return opposite + centre


def replies(position):
    """Return how many moves the side to move has; `open` holds them as bits, which are quick to count."""
    return position.open[position.to_move].bit_count()
