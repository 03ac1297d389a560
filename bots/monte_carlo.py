"""Plays every move out at random, many times, and makes the one that won most. Teaches: judge by experiment.

A playout is a game finished by chance. One of them says nothing, but the number that a move wins says how
good it is, and nobody had to tell the bot what a good position looks like. This is flat Monte Carlo: all
playouts begin right after the move. A tree that grows where the wins are would be the next step.

The number of playouts is fixed and no clock is read, so the same seed gives the same game on every machine.
"""

import random

PLAYOUTS = 300
"""Playouts for one move, shared equally by its candidates: about 10 ms on 5x5 cells."""

LARGE = 64
"""On boards with more cells than this there are fewer playouts."""

FEWEST = 8
"""Playouts that a candidate must get; where there are too few for all, some legal moves are no candidates."""


def move(position):
    """Make the candidate that won most of its playouts; of equals, the one drawn first."""
    moves = position.legal_moves
    playouts = playouts_for(position)
    # Drawn, not taken in order: on large boards not all are tried, and of equals it need not be the lowest.
    candidates = random.sample(moves, min(len(moves), max(1, playouts // FEWEST)))
    return max(candidates, key=lambda cell: wins(position, cell, playouts // len(candidates)))


def playouts_for(position):
    """Return how many playouts a position gets: PLAYOUTS, and on large boards fewer, down to none.

    With the legal moves grow the claims in a playout and the cost of each, with the board how often the bot
    is asked. Dividing by all three keeps a large game within its seconds.
    """
    cost = len(position.legal_moves) ** 2 * position.board.size
    return min(PLAYOUTS, PLAYOUTS * LARGE**3 // cost)


def wins(position, cell, playouts):
    """Return how many playouts are won by the side to move after it claims a cell."""
    after = position.play(cell)
    return sum(playout(after) == position.to_move for _ in range(playouts))


def playout(position):
    """Return the winner after both sides have claimed at random to the end."""
    while not position.is_over:
        position = position.play(random.choice(position.legal_moves))
    return position.winner
