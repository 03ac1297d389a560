"""Every position of a game against perfect play, written in a few letters.

    ?      not known, or not looked for
    -      the side to move loses
    =      it wins, and every move keeps that
    2c     it wins; the bits of this hexadecimal number are the moves that win, among the legal ones from the
           last digit on
    2c?    the same, but it is not known whether any move loses

The same positions come up in many games, and each is solved once; on small boards all are looked at together.
All the solving of a page has a budget, in positions and never in seconds, so that large boards cost no more
than a moment. Beyond it, only what grading has kept is known: the ply at which the loser threw the game away
for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.game import Variant
from arena.solver.cells import cells_of
from arena.solver.grades import Grader, Pair, Verdict

UNKNOWN, LOST, FORCED = "?", "-", "="
WON = "0?"
"""It wins, and no more is known."""

CHUNK = 1_000
"""So many positions are looked at together, before the budget is looked at again."""


class Verdicts:
    """Judges the games of one variant."""

    def __init__(self, variant: Variant, budget: int) -> None:
        self._variant = variant
        self._grader = Grader(variant)
        self._budget = budget
        self._known: dict[Pair, str] = {}

    @property
    def budget(self) -> int:
        """What is left of the budget."""
        return max(0, self._budget - self._grader.cost)

    def learn(self, paths: Iterable[Sequence[Pair]]) -> None:
        """Look at all positions of some games together, where that can be."""
        met = list({pair for path in paths for pair in path})
        for start in range(0, len(met), CHUNK):
            if not self.budget:
                return
            some = met[start : start + CHUNK]
            for (mine, yours), winning in zip(some, self._grader.find_winning(some), strict=True):
                if winning is not None:
                    self._known[mine, yours] = _write(mine, winning)

    def judge(self, path: Sequence[Pair], opening_plies: int, winner: int, thrown: int | None) -> str:
        """Return the verdicts of a game from the end of its opening on.

        `path` is what could be claimed after the opening and after each move. A game is judged from its end,
        and nothing is tried before a position that is unknown. `thrown` is the ply at which the loser threw
        it away for good, if that is known.
        """
        found: list[str] = []
        for pair in reversed(path):
            verdict = self._known.get(pair) or self._look(*pair)
            if verdict == UNKNOWN:
                break
            found.append(verdict)
        unknown = range(opening_plies, opening_plies + len(path) - len(found))
        return " ".join([*(_conclude(ply, winner, thrown) for ply in unknown), *reversed(found)])

    def _look(self, mine: int, yours: int) -> str:
        if not self.budget:
            return UNKNOWN
        verdict = self._grader.verdict(mine, yours, self._budget)
        self._known[mine, yours] = write_verdict(verdict, mine)
        return self._known[mine, yours]


def write_verdict(verdict: Verdict, legal: int) -> str:
    """Return a verdict in a few letters; `legal` are the cells that may be claimed."""
    if not verdict.wins:
        return UNKNOWN if verdict.wins is None else LOST
    if verdict.can_lose is False:
        return FORCED
    winning = sum(1 << cell for cell in verdict.winning_moves)
    return f"{_number(legal, winning):x}{UNKNOWN if verdict.can_lose is None else ''}"


def _write(legal: int, winning: int) -> str:
    """Return the verdict of a position of which all winning moves are known."""
    return LOST if not winning else FORCED if winning == legal else f"{_number(legal, winning):x}"


def _number(legal: int, winning: int) -> int:
    """Return the winning moves as bits among the legal ones."""
    return sum(1 << at for at, cell in enumerate(cells_of(legal)) if winning >> cell & 1)


def _conclude(plies: int, winner: int, thrown: int | None) -> str:
    """Return the verdict after so many plies, from nothing but the blunder that decided the game."""
    if thrown is None or plies < thrown - 1:
        return UNKNOWN
    mover = plies % 2
    return WON if plies == thrown - 1 or mover == winner else LOST
