"""What the games that a bot lost tell of it: wins thrown away, moves that did so, forfeits.

Games are added one by one, and of games that show the same only the first is kept, so that a page of a
million games needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from sys import intern
from typing import NamedTuple

from arena.referee.endings import Ending
from arena.referee.row import GameRow

MOST_OF_A_KIND = 3
"""How many forfeits of one ending are shown."""


class Forfeit(NamedTuple):
    """A game that the bot lost by breaking a rule; `ply` is the one that it did not play, if it was asked."""

    game: str
    variant: str
    opponent: str
    side: str
    ply: int | None
    detail: str


class Forfeits(NamedTuple):
    """The forfeits of one ending: how many there are, and the first of them."""

    ending: str
    games: int
    shown: list[Forfeit]


class Made(NamedTuple):
    """A move that threw a game away for good: the first game with it, and how many games have it."""

    game: str
    variant: str
    opponent: str
    moves: str
    ply: int
    games: int


class Losses:
    """What one bot's lost games tell; `identify` says which blunder the last of some moves is."""

    def __init__(self, identify: Callable[[str, tuple[int, ...]], object]) -> None:
        self._identify = identify
        self._made: dict[object, Made] = {}
        self._forfeits: dict[str, Forfeits] = {}
        self.thrown_away = 0  # games that it threw away for good, by a move or by a forfeit
        self.thrown_by_forfeit = 0

    def add(self, game: GameRow, thrown_at: int | None) -> None:
        """Add a game that the bot lost; `thrown_at` is the ply at which it threw the win away, if it did."""
        if game.ending != Ending.NO_MOVES:
            self._add_forfeit(game)
        if thrown_at is None:
            return
        self.thrown_away += 1
        if thrown_at > game.plies:
            self.thrown_by_forfeit += 1
        else:
            self._add_move(game, thrown_at)

    def _add_forfeit(self, game: GameRow) -> None:
        known = self._forfeits.get(game.ending, Forfeits(game.ending, 0, []))
        if known.games < MOST_OF_A_KIND:
            known.shown.append(_forfeit(game))
        self._forfeits[game.ending] = known._replace(games=known.games + 1)

    def _add_move(self, game: GameRow, ply: int) -> None:
        blunder = self._identify(game.variant, game.cells[:ply])
        known = self._made.get(blunder) or Made(
            game.game, intern(game.variant), intern(game.winner), game.moves, ply, 0
        )
        self._made[blunder] = known._replace(games=known.games + 1)

    @property
    def made(self) -> list[Made]:
        """The different moves that threw games away, in the order in which they were first made."""
        return list(self._made.values())

    def forfeits(self) -> Iterator[Forfeits]:
        """Yield the forfeits by ending, the most frequent first."""
        yield from sorted(self._forfeits.values(), key=lambda kind: (-kind.games, kind.ending))


def _forfeit(game: GameRow) -> Forfeit:
    side = "second" if game.winner == game.first else "first"
    ply = None if game.ending == Ending.NO_START else game.plies + 1
    return Forfeit(game.game, game.variant, game.winner, side, ply, game.detail)
