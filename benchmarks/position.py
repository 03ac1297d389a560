"""What `Position` costs beside a hand-written loop over bit sets: first-legal games, as a ratio in one run.

The bare loop has the bit sets in local variables. Like the loop over positions it plays whole games between
two bots, which are functions, checks every reply and keeps the moves, because a game without a record or with
unchecked moves is nothing that arena could use. The aim: a ratio of at most 3.

The last columns drop that: the first legal move is written into both loops, nothing is kept, and the bare one
checks legality with a single shift.
"""

import time
from itertools import cycle

import arena
from arena.game import RULE_BOOKS, RULES

ROUNDS, SECONDS = 25, 0.02


def first_bit(mine, yours):
    return (mine & -mine).bit_length() - 1


def bare_game(every, claimer_keeps, opponent_keeps, bots=(first_bit, first_bit)):
    """Play a game with nothing but ints; return its moves."""
    mine = yours = every
    moves = []
    turns = cycle(bots)
    while mine:
        cell = next(turns)(mine, yours)
        if cell.__class__ is not int or cell < 0 or not mine >> cell & 1:
            raise ValueError(cell)
        mine, yours = yours & opponent_keeps[cell], mine & claimer_keeps[cell]
        moves.append(cell)
    return moves


def first_legal(position):
    return position.legal_moves[0]


def position_game(start, bots=(first_legal, first_legal)):
    """Play the same game through `Position`; return its moves."""
    position = start
    turns = cycle(bots)
    while not position.is_over:
        position = position.play(next(turns)(position))
    return position.history


def inlined_bare_game(every, claimer_keeps, opponent_keeps):
    """Play the least that is still a game: no bots, no record."""
    mine = yours = every
    plies = 0
    while mine:
        cell = (mine & -mine).bit_length() - 1
        if not mine >> cell & 1:
            raise ValueError(cell)
        mine, yours = yours & opponent_keeps[cell], mine & claimer_keeps[cell]
        plies += 1
    return range(plies)


def inlined_position_game(position):
    """Play the same through `Position`."""
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    return position.history


def masks(variant):
    """What each side keeps when a cell is claimed, worked out from the board and the rule."""
    rule, board = RULES[variant.rule], variant.board
    closed = [(1 << c, 1 << c | sum(1 << n for n in board.neighbours(c))) for c in range(board.size)]
    every = (1 << board.size) - 1
    claimer = [every ^ pair[rule.closes_to_claimer] for pair in closed]
    opponent = [every ^ pair[rule.closes_to_opponent] for pair in closed]
    return every, claimer, opponent


def microseconds_per_move(play, *arguments):
    """Time whole games for a moment."""
    moves = 0
    start = time.perf_counter()
    while (taken := time.perf_counter() - start) < SECONDS:
        for _ in range(50):
            moves += len(play(*arguments))
    return taken / moves * 1e6


def compare(name):
    """Return the best of many interleaved rounds of all four loops."""
    variant = arena.variant(name)
    bare, start = masks(variant), variant.start()
    assert tuple(bare_game(*bare)) == position_game(start)
    loops = [(bare_game, *bare), (position_game, start)]
    loops += [(inlined_bare_game, *bare), (inlined_position_game, start)]
    rounds = [[microseconds_per_move(*loop) for loop in loops] for _ in range(ROUNDS)]
    return [min(taken) for taken in zip(*rounds, strict=True)]


def main():
    print(
        "first-legal games, µs per move     bare loop   Position   ratio     inlined: bare   Position   ratio"
    )
    for name in RULE_BOOKS:
        bare, through, inlined, inlined_through = compare(name)
        print(
            f"  {name:30} {bare:10.3f} {through:10.3f} {through / bare:7.2f}"
            f" {inlined:17.3f} {inlined_through:10.3f} {inlined_through / inlined:7.2f}"
        )


if __name__ == "__main__":
    main()
