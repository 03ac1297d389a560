"""Do 95 % intervals hold for real bots on real boards? Thirty bots that always play alike, and other seeds.

Three families, ten bots each: those that take cells in a fixed order, those that weigh what a claim closes,
and those that play a fixed order until few cells are left and then perfectly. They play round robins on the
three built-in boards that can rank anybody, with eight openings drawn by each seed. The truth is the rating
over the openings of a hundred other seeds. The first argument is the number of seeds tested, else 24.
"""

import random
import sys
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd

import arena
from arena.game.definition import define
from arena.solver import Solver
from arena.solver.openings import openings
from arena.standings.ratings import rate

VARIANTS = ("blockade-5x5", "grid-block", "blockade-line")
OPENINGS = 8
OTHER_SEEDS = range(100_000, 100_100)
FEW = 6


def in_order(seed):
    """A bot that claims the first cell of an order."""
    rank = [random.Random(seed * 1000 + cell).random() for cell in range(64)]
    return lambda position: min(position.legal_moves, key=rank.__getitem__)


def by_weights(seed):
    """A bot that weighs how many cells a claim leaves to either side, and a little which cell it is."""
    draw = random.Random(seed)
    mine, yours, order = draw.gauss(0.5, 1), draw.gauss(-0.5, 1), in_order(seed)

    def value(position, cell):
        after, side = position.play(cell).open, position.to_move
        return mine * after[side].bit_count() + yours * after[1 - side].bit_count()

    def move(position):
        first = order(position)
        return max(position.legal_moves, key=lambda cell: (round(value(position, cell), 6), cell == first))

    return move


def with_end_game(seed):
    """A bot that claims cells in an order, and plays perfectly when few are left."""
    order = in_order(seed)

    def move(position):
        if len(position.legal_moves) > FEW:
            return order(position)
        winning = [cell for cell in position.legal_moves if _wins(position.play(cell), position.to_move)]
        return winning[0] if winning else order(position)

    return move


@cache
def _solver(variant):
    return Solver(variant)


def _wins(position, side):
    return _solver(position.variant).winner(position) == side


BOTS = {
    f"{make.__name__}-{number}": make(10 * number + kind)
    for kind, make in enumerate((in_order, by_weights, with_end_game))
    for number in range(10)
}


class Board:
    """The games of a variant: every bot's move and every game is worked out once."""

    def __init__(self, name):
        self.variant = arena.variant(name)
        self._moves = {}
        self._wins = {}

    def is_won(self, first, second, cells):
        """Whether the bot of side 0 wins from an opening."""
        key = first, second, cells
        if key not in self._wins:
            self._wins[key] = self._play((first, second), self.variant.replay(cells))
        return self._wins[key]

    def _play(self, names, position):
        while not position.is_over:
            name = names[position.to_move]
            key = name, position.open, position.to_move
            if key not in self._moves:
                self._moves[key] = BOTS[name](position)
            position = position.play(self._moves[key])
        return position.to_move == 1

    def openings(self, seed):
        return [found.cells for found in openings(self.variant, define(self.variant), seed, OPENINGS)]


def results(boards, seed):
    """The results of a round robin."""
    rows = []
    for board in boards:
        for number, cells in enumerate(board.openings(seed)):
            for pair in combinations(BOTS, 2):
                for first, second in (pair, pair[::-1]):
                    won = int(board.is_won(first, second, cells))
                    rows.append((board.variant.name, number, first, second, len(cells) % 2, won, 1))
    return pd.DataFrame(rows, columns=["variant", "opening", "first", "second", "mover", "wins", "games"])


def truth(boards):
    """The ratings over the openings of many other seeds."""
    keys = ["variant", "first", "second", "mover"]
    sums = {}
    for seed in OTHER_SEEDS:
        found = results(boards, seed).groupby(keys)[["wins", "games"]].sum()
        sums = found if not len(sums) else sums.add(found, fill_value=0)
    table = sums.astype(int).reset_index().assign(opening=0)
    return rate(table, prior=0.002).table.set_index("bot")["rating"]


def main():
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
    boards = [Board(name) for name in VARIANTS]
    true = truth(boards)
    held, plain, widths, widening, said, right = [], [], [], [], [], []
    for seed in seeds:
        ratings = rate(results(boards, seed))
        table = ratings.table.set_index("bot")
        miss, half = (table["rating"] - true[table.index]).abs(), (table["high"] - table["low"]) / 2
        held.append((miss <= half).mean())
        plain.append((miss <= half / table["widening"]).mean())
        widths.append(2 * half.mean())
        widening.append(table["widening"].median())
        for one, other in zip(table.index, table.index[1:], strict=False):
            said.append(ratings.superiority(one, other))
            right.append(true[one] > true[other])
    error = np.std(held) / len(held) ** 0.5
    print(
        f"coverage {np.mean(held):.3f} +- {error:.3f}, width {np.mean(widths):.0f}, x {np.mean(widening):.2f}"
    )
    print(f"as if units were independent {np.mean(plain):.3f}")
    said, right = np.array(said), np.array(right)
    for low, high in ((0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        inside = (low <= said) & (said < high)
        print(f"over_next said {said[inside].mean():.2f}, right {right[inside].mean():.2f} of {inside.sum()}")


if __name__ == "__main__":
    main()
