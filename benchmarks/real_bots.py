"""Do 95 % intervals hold for real bots on real boards? Thirty bots, with chance and without, and other seeds.

Three families, ten bots each: those that take cells in a fixed order, those that weigh what a claim closes,
and those that play a fixed order until few cells are left and then perfectly. They play round robins on the
three built-in boards that can rank anybody, with eight openings drawn by each seed. The truth is the rating
over the openings of a hundred other seeds. The first argument is the number of seeds tested, else 24.

Once they always play alike, and once each of them makes a move at random now and then: the first of a family
one in ten, the last always. Their chance is seeded as arena seeds it: by tournament, variant, opening,
repeat, side, the bot's own version and ply. So it repeats over opponents: who is lucky on an opening is lucky
there against everybody. The tables are those of benchmarks.coverage.
"""

import hashlib
import random
import sys
from functools import cache
from itertools import combinations

import pandas as pd

import arena
from arena.game.definition import define
from arena.referee.game import GameSpec
from arena.solver import Solver
from arena.solver.openings import openings
from arena.standings.ratings import rate
from benchmarks.coverage import gather, judge, print_over_next, say

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


VERSIONS = {name: hashlib.sha256(name.encode()).hexdigest() for name in BOTS}
SHARES = {name: (1 + int(name.rpartition("-")[2])) / 10 for name in BOTS}  # of moves at random


@cache
def draw(seed, ply):
    """The first two numbers of a bot's `random` at a ply, seeded as arena.inside.seeding does."""
    chance = random.Random(seed << 13 | ply)
    return chance.random(), chance.random()


class Board:
    """The games of a variant: every move, and every game without chance, is worked out once."""

    def __init__(self, name, has_chance):
        self.variant = arena.variant(name)
        self._has_chance = has_chance
        self._moves = {}
        self._wins = {}
        self._seeds = {}

    def is_won(self, first, second, cells, seed):
        """Whether the bot of side 0 wins from an opening, in a tournament with some seed."""
        if self._has_chance:
            return self.play(first, second, cells, seed).to_move == 1
        key = first, second, cells
        if key not in self._wins:
            self._wins[key] = self.play(first, second, cells, seed).to_move == 1
        return self._wins[key]

    def play(self, first, second, cells, seed):
        """The last position of a game."""
        names, seeds = (first, second), None
        if self._has_chance:
            seeds = [self._bot_seed(name, side, cells, seed) for side, name in enumerate(names)]
        return self._play(names, self.variant.replay(cells), seeds)

    def _bot_seed(self, name, side, cells, seed):
        key = name, side, cells, seed
        if key not in self._seeds:
            bots = name, name, VERSIONS[name], VERSIONS[name]  # whoever the other one is
            self._seeds[key] = GameSpec("", self.variant, *bots, cells, seed).bot_seed(side)
        return self._seeds[key]

    def _play(self, names, position, seeds):
        while not position.is_over:
            name, legal = names[position.to_move], position.legal_moves
            luck, place = draw(seeds[position.to_move], len(position.history)) if seeds else (1, 0)
            is_random = luck < SHARES[name]
            position = position.play(
                legal[int(place * len(legal))] if is_random else self._move(name, position)
            )
        return position

    def _move(self, name, position):
        """What a bot plays where it does not play at random."""
        key = name, position.open, position.to_move
        if key not in self._moves:
            self._moves[key] = BOTS[name](position)
        return self._moves[key]

    def openings(self, seed):
        return [found.cells for found in openings(self.variant, define(self.variant), seed, OPENINGS)]


def results(boards, seed):
    """The results of a round robin."""
    rows = []
    for board in boards:
        for number, cells in enumerate(board.openings(seed)):
            for pair in combinations(BOTS, 2):
                for first, second in (pair, pair[::-1]):
                    won = int(board.is_won(first, second, cells, seed))
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


def test(seeds, has_chance):
    """What the seeds show: benchmarks.coverage.Found."""
    boards = [Board(name, has_chance) for name in VARIANTS]
    true = truth(boards)
    return gather([judge(rate(results(boards, seed)), true) for seed in seeds])


def main():
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
    kinds = {"without chance": test(seeds, has_chance=False), "with chance": test(seeds, has_chance=True)}
    print("| bots | coverage | width | as if independent | width | games |\n|---|---|---|---|---|---|")
    for kind, found in kinds.items():
        print(f"| {kind} | {say(found)}")
    for kind, found in kinds.items():
        print(f"\n{kind}:")
        print_over_next(found)


if __name__ == "__main__":
    main()
