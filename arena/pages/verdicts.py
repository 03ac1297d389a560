"""Every position of a game against perfect play, written in a few letters.

    ?      not known, or not looked for
    -      the side to move loses
    =      it wins, and every move keeps that
    2c     it wins; the bits of this hexadecimal number are the moves that win, among the legal ones from the
           last digit on
    2c?    the same, but it is not known whether any move loses

The same positions come up in many games, and each is solved once. All the solving of a page has a budget, in
positions and never in seconds, so that large boards cost no more than a moment. Beyond it, only what grading
has kept is known: the ply at which the loser threw the game away for good.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.game import Position, Variant
from arena.solver.grades import Grader, Verdict
from arena.solver.solver import open_cells

UNKNOWN, LOST, FORCED = "?", "-", "="
WON = "0?"
"""It wins, and no more is known."""


class Verdicts:
    """Judges the games of one variant; those that begin alike should follow each other."""

    def __init__(self, variant: Variant, budget: int) -> None:
        self._grader = Grader(variant)
        self._budget = budget
        self._path = [variant.start()]  # the positions of the game before
        self._known: dict[tuple[int, int], str] = {}

    @property
    def budget(self) -> int:
        """What is left of the budget."""
        return max(0, self._budget - self._grader.cost)

    def judge(self, cells: Sequence[int], opening_plies: int, winner: int, thrown: int | None) -> str:
        """Return the verdicts of a game from the end of its opening on; IllegalMove if it is not one.

        A game is judged from its end, and nothing is tried before a position that is unknown. `thrown` is the
        ply at which the loser threw it away for good, if that is known.
        """
        self._follow(cells)
        positions = self._path[opening_plies:]
        found: list[str] = []
        for position in reversed(positions):
            verdict = self._look(position)
            if verdict == UNKNOWN:
                break
            found.append(verdict)
        unknown = range(opening_plies, opening_plies + len(positions) - len(found))
        return " ".join([*(_conclude(ply, winner, thrown) for ply in unknown), *reversed(found)])

    def _follow(self, cells: Sequence[int]) -> None:
        """Replay a game, from where it differs from the one before."""
        before = self._path[-1].history
        differs = (ply for ply, (one, other) in enumerate(zip(before, cells, strict=False)) if one != other)
        shared = next(differs, min(len(before), len(cells)))
        del self._path[shared + 1 :]
        for cell in cells[shared:]:
            self._path.append(self._path[-1].play(cell))

    def _look(self, position: Position) -> str:
        key = open_cells(position)
        if key not in self._known:
            if not self.budget:
                return UNKNOWN
            self._known[key] = write_verdict(
                self._grader.verdict(position, self._budget), position.legal_moves
            )
        return self._known[key]


def write_verdict(verdict: Verdict, legal_moves: Sequence[int]) -> str:
    """Return a verdict in a few letters."""
    if not verdict.wins:
        return UNKNOWN if verdict.wins is None else LOST
    if verdict.can_lose is False:
        return FORCED
    winning = sum(1 << at for at, cell in enumerate(legal_moves) if cell in verdict.winning_moves)
    return f"{winning:x}{UNKNOWN if verdict.can_lose is None else ''}"


def _conclude(plies: int, winner: int, thrown: int | None) -> str:
    """Return the verdict after so many plies, from nothing but the blunder that decided the game."""
    if thrown is None or plies < thrown - 1:
        return UNKNOWN
    mover = plies % 2
    return WON if plies == thrown - 1 or mover == winner else LOST
