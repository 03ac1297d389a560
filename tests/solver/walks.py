"""Positions for the solver's tests: all that can be reached, or some by random moves."""

import random

import arena
from arena.game import Board, Position, Variant
from tests.solver.plain import GRAPHS

RULES = ("kayles", "snort", "col")


def variant_of(rule: str, board: str) -> Variant:
    """A variant on a board of a family, or on one of the graphs."""
    plain = arena.variant(f"{rule}:line-2" if board in GRAPHS else f"{rule}:{board}")
    if board not in GRAPHS:
        return plain
    size = 1 + max(max(edge) for edge in GRAPHS[board])
    graph = Board(board, size, GRAPHS[board])
    return Variant(f"{rule}:{board}", rule, graph, plain.notation.style, plain.book)


def every_position(variant: Variant) -> list[Position]:
    """One position for each key that can be reached."""
    found = {variant.start().key: variant.start()}
    left = [variant.start()]
    while left:
        position = left.pop()
        for cell in position.legal_moves:
            after = position.play(cell)
            if after.key not in found:
                found[after.key] = after
                left.append(after)
    return list(found.values())


def random_position(variant: Variant, chance: random.Random, most_open: int) -> Position:
    """A position reached by random moves, with at most so many cells open to anybody."""
    position = variant.start()
    while (position.open[0] | position.open[1]).bit_count() > most_open:
        position = position.play(chance.choice(position.legal_moves))
        if position.is_over:
            return random_position(variant, chance, most_open)
    return position
