"""Looks several moves ahead. Teaches: negamax, alpha-beta, a transposition table, and memory for one game.

- Negamax: what is good for one side is as bad for the other: one function serves both and changes the sign.
- Alpha-beta: `alpha` is what we are sure of already, `beta` what the opponent is sure of. A move worth more
  than beta will not be allowed, so nothing more needs to be known of the position. The answer is the same as
  without, in about the square root of the time if good moves are tried first.
- Transposition table: the same claims in another order lead to a position with the same `key`, which need not
  be searched again.
- Memory: arena makes a new `Bot` for every game, so what `__init__` makes lives as long as one game.

How deep to look depends on the position alone and never on a clock, so that every game can be repeated.
"""

WIN = 1_000_000  # more than any mobility: a board has at most 4,096 cells
MORE_THAN_WIN = WIN + 1  # more than any value there is

# Up to so many open cells: look so many moves ahead. Up to 14 that is the end of the game. Measured on lines,
# grids, rings and boards without neighbours, so that the worst move takes a quarter of a second.
DEPTHS = ((14, 14), (18, 6), (25, 5), (40, 4), (64, 3), (128, 2))


class Bot:
    """Negamax with alpha-beta and a table of what was found: key -> depth, least and greatest value."""

    def __init__(self):
        self.table = {}

    def move(self, position):
        """Claim the cell of the greatest value; of equals, the one that leaves the fewest replies."""
        depth = depth_for(position)
        best, best_value = None, -MORE_THAN_WIN
        for after in continuations(position):
            value = -self.value(after, depth - 1, -MORE_THAN_WIN, -best_value)
            if value > best_value:
                best, best_value = after.history[-1], value
        return best

    def value(self, position, depth, alpha, beta):
        """Return the value for the side to move: exact between alpha and beta, beyond them only a bound."""
        if position.is_over:
            return -WIN
        if depth == 0:
            return mobility(position)
        searched, least, greatest = self.table.get(position.key, (0, 0, 0))
        if searched >= depth and (least >= beta or least == greatest):
            return least
        if searched >= depth and greatest <= alpha:
            return greatest
        return self.search(position, depth, alpha, beta)

    def search(self, position, depth, alpha, beta):
        """Return the same as `value` by trying the moves, and remember it."""
        best = -MORE_THAN_WIN
        for after in continuations(position):
            best = max(best, -self.value(after, depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        # At or above beta we stopped early, and at or below alpha the replies did: then it is a bound only.
        least = best if best > alpha else -MORE_THAN_WIN
        greatest = best if best < beta else MORE_THAN_WIN
        self.table[position.key] = (depth, least, greatest)
        return best


def depth_for(position):
    """Return how many moves to look ahead: the fewer cells are open to anyone, the more."""
    first, second = position.open
    cells = (first | second).bit_count()
    return next((depth for most, depth in DEPTHS if cells <= most), 1)


def continuations(position):
    """Return the next positions, those with the fewest replies first: mostly good moves, for early cuts."""
    return sorted(map(position.play, position.legal_moves), key=replies)


def replies(position):
    """Return how many moves the side to move has; `open` holds them as bits, which are quick to count."""
    return position.open[position.to_move].bit_count()


def mobility(position):
    """Return how many more moves the side to move has than the other side."""
    side = position.to_move
    return position.open[side].bit_count() - position.open[1 - side].bit_count()
