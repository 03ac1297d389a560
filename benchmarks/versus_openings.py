"""How often `arena versus` errs between deterministic bots, on the real openings of the rule books. Markdown.

The bots are those of `benchmarks.real_bots`. The openings and their order are those of some seeds: by turns
won and lost for the side to move, short ones first, none twice. The test looks after every pair.

At truth 0 the two bots are exchanged on every opening with chance 1/2. At the upper bound the chance is such
that the first one scores what the bound says, where not too many pairs are split for that. As they are, the
truth is the mean over all openings of all seeds, and the tests are of bots that are no stronger than 0, or no
weaker than the upper bound. On many variants the truth is the mean of theirs: they have a pair each in turn,
as long as they have openings.

Standard errors are between pairs of bots. Aim: no rate above what was asked by more than two of them. The
first argument is the number of seeds for 100 openings, else 20.
"""

import sys
from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.game import RULE_BOOKS, variant
from arena.game.definition import define
from arena.solver.health import why_degenerate
from arena.solver.openings import count_openings, openings
from arena.standings.sprt import Bounds, expected_score
from benchmarks.real_bots import BOTS, Board
from benchmarks.versus import listed, play

MOST_OPENINGS = 10_000
BOUNDS = Bounds()
PAIRS = list(combinations(BOTS, 2))[::3]
DRAWS = 4  # exchanges that are tried on every list of openings


class Row(NamedTuple):
    """The errors of some pairs of bots, a share for each, and how often there was no verdict."""

    wrong: list
    unknown: list

    def __str__(self):
        if not self.wrong:
            return "| 0 | | | "
        error = np.std(self.wrong) / len(self.wrong) ** 0.5
        return (
            f"| {len(self.wrong)} | {np.mean(self.wrong):.2%} +- {error:.2%} | {np.mean(self.unknown):.0%} "
        )


def outcomes(name, seeds):
    """Return the wins of the first bot by pair of bots, seed and opening."""
    board = Board(name)
    drawn = [openings(board.variant, define(board.variant), seed, MOST_OPENINGS) for seed in range(seeds)]
    lists = [[found.cells for found in one] for one in drawn]
    return np.array([[[_pair(board, *pair, cells) for cells in one] for one in lists] for pair in PAIRS])


def _pair(board, one, other, cells):
    return board.is_won(one, other, cells) + 1 - board.is_won(other, one, cells)


def interleave(lists):
    """Return the outcomes on many variants as a run has them: the first opening of each, then the second."""
    seeds = min(len(each) for each in lists)
    order = sorted((number, at) for at, each in enumerate(lists) for number in range(each.shape[1]))
    return np.stack([lists[at][:seeds, number] for number, at in order], axis=1)


def exchange(lists, score, rng):
    """Return the outcomes if the better on an opening is the first bot with a chance that gives a score."""
    lists = np.repeat(lists, DRAWS, axis=0)
    decided = (lists != 1).mean()
    chance = 0.5 + (score - 0.5) / decided if decided else 0.5
    return np.where(lists == 1, 1, np.where(rng.random(lists.shape) < chance, 2, 0))


def exchanged(tables, score, rng):
    """Yield the outcomes between two bots that are exchanged so that they have a score, where possible."""
    for parts in zip(*tables, strict=True):
        if min((part != 1).mean() for part in parts) >= 2 * abs(score - 0.5):
            yield interleave([exchange(part, score, rng) for part in parts])


def as_they_are(tables, is_asked):
    """Yield the outcomes between two bots, seen from either, whose mean score is asked for."""
    for parts in zip(*tables, strict=True):
        for seen in (parts, [2 - part for part in parts]):
            if is_asked(np.mean([part.mean() / 2 for part in seen])):
                yield interleave(seen)


def count(matches, wrong):
    """Return how often tests end with a wrong verdict, given by its sign."""
    row = Row([], [])
    for lists in matches:
        _, signs = play(listed(lists), BOUNDS, len(lists))
        row.wrong.append((signs == wrong).mean())
        row.unknown.append((signs == 0).mean())
    return row


def print_errors(name, tables):
    low, high = expected_score(BOUNDS.low), expected_score(BOUNDS.high)
    rng = np.random.default_rng(1)
    rows = {
        f"called better at {BOUNDS.low:+g}": count(exchanged(tables, low, rng), 1),
        f"turned away at {BOUNDS.high:+g}": count(exchanged(tables, high, rng), -1),
        "called better as they are": count(as_they_are(tables, lambda score: score <= low), 1),
        "turned away as they are": count(as_they_are(tables, lambda score: score >= high), -1),
    }
    for what, row in rows.items():
        print(f"| {name} | {sum(table.shape[2] for table in tables)} | {what} {row}|", flush=True)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("| variant | openings | error | pairs of bots | rate | no verdict |")
    print("|---" * 6 + "|")
    ranking = []
    for name in RULE_BOOKS:
        chosen = variant(name)
        table = outcomes(name, max(4, round(100 * seeds / count_openings(chosen))))
        print_errors(name, [table])
        if why_degenerate(chosen) is None:
            ranking.append(table)
    print_errors("by default, those that can rank", ranking)


if __name__ == "__main__":
    main()
