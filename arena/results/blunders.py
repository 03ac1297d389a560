"""Which of a bot's blunders are the worst: moves that threw a game away for good, and what would have won.

The more of the legal moves would have won, the worse is the one that did not; then the more often it was
made, and then the earlier it came. So a move that loses where nearly every other wins comes before a hard
choice on an empty board. Only moves are judged here; a forfeit is no move.

The same move where the same cells are open is the same blunder, in however many games and however it came to
that position. At most `MOST_WEIGHED` different ones are compared, those made most often and then the latest:
every legal move has to be solved for each of them, and late positions are small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from arena.game import Position, Variant
from arena.referee.row import cells_of
from arena.results.losses import Made
from arena.solver.grades import Grader
from arena.solver.solver import follow

MOST_SHOWN = 5
MOST_WEIGHED = 60
"""How many different blunders of a bot are compared."""

MOST_REMEMBERED = 1 << 16


class Blunder(NamedTuple):
    """A move that threw a game away for good; moves are named as the rule book prints them."""

    game: str
    variant: str
    opponent: str
    side: str
    stone: str  # the sign of that side on the board
    ply: int
    played: str
    winning_moves: list[str]  # those that are known to win; may be empty on a large board
    legal_moves: int
    games: int  # in which it made this blunder
    position: str  # the board before it


class Weigher:
    """Finds the worst blunders, and remembers what it solved for the next bot."""

    def __init__(self, variant: Callable[[str], Variant]) -> None:
        self._variant = variant
        self._graders: dict[str, Grader] = {}
        self.identify = lru_cache(MOST_REMEMBERED)(self._identify)  # small boards see most games again

    def worst(self, made: Iterable[Made]) -> list[Blunder]:
        """Return the worst of these blunders, the worst first."""
        often = sorted(made, key=lambda each: (-each.games, -each.ply))
        return sorted(map(self._weigh, often[:MOST_WEIGHED]), key=_badness)[:MOST_SHOWN]

    def _identify(self, variant: str, cells: tuple[int, ...]) -> object:
        """Return what is the same for the same blunder, the last of these moves."""
        mover, (before,) = len(cells) % 2, follow(self._variant(variant), cells[:-1], len(cells) - 1)
        return variant, mover, before, cells[-1]

    def _weigh(self, made: Made) -> Blunder:
        variant, ply = self._variant(made.variant), made.ply
        side, cells = (ply - 1) % 2, cells_of(made.moves)
        before = variant.replay(cells[: ply - 1])
        return Blunder(
            game=made.game,
            variant=made.variant,
            opponent=made.opponent,
            side=("first", "second")[side],
            stone=variant.notation.style.stones[side],
            ply=ply,
            played=before.name(cells[ply - 1]),
            winning_moves=self._name_winning(before),
            legal_moves=len(before.legal_moves),
            games=made.games,
            position=str(before),
        )

    def _name_winning(self, before: Position) -> list[str]:
        name = before.variant.name
        if name not in self._graders:
            self._graders[name] = Grader(before.variant)
        return list(map(before.name, self._graders[name].winning_moves(before)))


def _badness(blunder: Blunder) -> tuple[float, int, int]:
    """Return what the worst blunders have least of."""
    return -len(blunder.winning_moves) / blunder.legal_moves, -blunder.games, blunder.ply
