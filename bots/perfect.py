"""Never throws a won game away. Teaches: a solver, and what to do when even that does not help.

`arena.solver` knows who wins a position and by which moves. Where there is a winning move the bot makes one,
and nobody can beat it any more. Where there is none every move loses against perfect play, but the opponent
may not play perfectly: so it makes the move that leaves the smallest share of winning replies, and hopes.

On boards that are too large to be solved within its budget it leaves the opponent few moves, as `greedy`
does. The budget is counted in positions and not in seconds, so that every game can be repeated.
"""

from arena.solver import Solver

BUDGET = 300
"""Positions to look at before the bot gives up on a position: a few thousandths of a second."""

FEW = 12
"""Up to so many moves it looks two moves ahead for the most awkward one."""


class Bot:
    """Keeps its solver for the whole game: what was found at one move is still known at the next."""

    def __init__(self, game):
        self.solver = Solver(game.variant)

    def move(self, position):
        """Make a winning move; where there is none, or none is known, an awkward one."""
        winner = self.solver.winner(position, BUDGET)
        after = {cell: position.play(cell) for cell in position.legal_moves}
        if winner == position.to_move:
            for cell, reached in after.items():
                if self.solver.winner(reached, BUDGET) == position.to_move:
                    return cell
        is_lost = winner == 1 - position.to_move and len(after) <= FEW
        price = self.ways_to_win if is_lost else replies
        return min(after, key=lambda cell: (price(after[cell]), cell))

    def ways_to_win(self, position):
        """Return the share of the opponent's moves that win: the smaller, the sooner it goes wrong."""
        return len(self.solver.solve(position, BUDGET).winning_moves) / max(1, replies(position))


def replies(position):
    """Return how many moves the side to move has; `open` holds them as bits, which are quick to count."""
    return position.open[position.to_move].bit_count()
