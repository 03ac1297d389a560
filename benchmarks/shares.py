"""Do the 95 % intervals of scores and accuracies hold for real bots on real boards? Markdown.

The thirty bots of benchmarks.real_bots, without chance and with it, play round robins with openings drawn by
each seed. Their shares are counted over all games, and over the games against one boss alone, as [grading]
does. The truth is the share over the openings of other seeds. Beside each stands Wilson's interval as if all
games, or all moves, were independent. The first argument is the number of seeds tested, else 24.
"""

import sys

import numpy as np
import pandas as pd

from arena.solver.grades import Grader
from arena.standings.shares import measure_shares, wilson
from benchmarks import real_bots
from benchmarks.real_bots import BOTS, VARIANTS, Board

OTHER_SEEDS = range(200_000, 200_060)
BOSS = "by_weights-0"
COLUMNS = ["bot", "other", "variant", "opening", "wins", "games", "kept", "graded"]
SHARES = {"score": ("wins", "games"), "accuracy": ("kept", "graded")}


class GradedBoard(Board):
    """The games of a variant with their grades."""

    def __init__(self, name, has_chance):
        super().__init__(name, has_chance)
        self._grader = Grader(self.variant)
        self._rows = {}

    def rows(self, first, second, cells, seed):
        """What either bot did in a game: won, kept, graded."""
        key = first, second, cells, seed if self._has_chance else None
        if key not in self._rows:
            end = self.play(first, second, cells, seed)
            found = self._grader.game(end.history, len(cells), 1 - end.to_move)
            self._rows[key] = [
                (int(end.to_move != side), found.count_kept(side), found.count_graded(side))
                for side in (0, 1)
            ]
        return self._rows[key]


def evidence(boards, seed):
    """What each bot did in each game of a round robin."""
    rows = []
    for board in boards:
        for number, cells in enumerate(board.openings(seed)):
            for pair in ((one, other) for one in BOTS for other in BOTS if one != other):
                found = zip(pair, pair[::-1], board.rows(*pair, cells, seed), strict=True)
                rows += [
                    (bot, other, board.variant.name, number, won, 1, kept, graded)
                    for bot, other, (won, kept, graded) in found
                ]
    return pd.DataFrame(rows, columns=COLUMNS)


def chosen(frame, is_against_boss):
    return frame[frame["other"] == BOSS] if is_against_boss else frame


def compare(tested, true, part, whole):
    """Coverage and mean width of each seed, by openings and as if everything were independent."""
    found = []
    for frame in tested:
        shares = measure_shares(frame, part, whole)
        counts = frame.groupby("bot")[whole].sum()
        plain = {bot: wilson(share.share, counts[bot]) for bot, share in shares.items()}
        held = [share.low <= true[bot] <= share.high for bot, share in shares.items()]
        naive = [plain[bot][0] <= true[bot] <= plain[bot][1] for bot in shares]
        widths = [share.high - share.low for share in shares.values()]
        found.append(
            [np.mean(held), np.mean(widths), np.mean(naive), np.mean([b - a for a, b in plain.values()])]
        )
    return np.array(found).T


def main():
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
    print("| bots | openings | share | games | coverage | width | as if independent | width |")
    print("|---|---|---|---|---|---|---|---|")
    for openings in (2, 8):
        real_bots.OPENINGS = openings
        for kind in ("deterministic", "with chance"):
            boards = [GradedBoard(name, kind == "with chance") for name in VARIANTS]
            others = pd.concat(evidence(boards, seed) for seed in OTHER_SEEDS[:: 1 + 2 * (openings > 2)])
            tested = [evidence(boards, seed) for seed in seeds]
            for is_against_boss in (False, True):
                for name, (part, whole) in SHARES.items():
                    sums = chosen(others, is_against_boss).groupby("bot")[[part, whole]].sum()
                    frames = [chosen(frame, is_against_boss) for frame in tested]
                    held, width, naive, narrow = compare(frames, sums[part] / sums[whole], part, whole)
                    games = "against one boss" if is_against_boss else "all"
                    print(
                        f"| {kind} | 3 x {openings} | {name} | {games} "
                        f"| {held.mean():.3f} +- {held.std() / len(held) ** 0.5:.3f} | {width.mean():.3f} "
                        f"| {naive.mean():.3f} | {narrow.mean():.3f} |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
