"""A game as the log keeps it: the one definition of its row, from which all columns follow. Pure.

Texts and numbers only, so that a row goes through a pipe, a database and a spreadsheet as it is.
"""

from __future__ import annotations

from typing import NamedTuple

ISOLATIONS = ("trusted", "sandboxed")
"""How a game can have been played: with a bot in our own process, or with all of them behind walls."""


class GameRow(NamedTuple):
    """One finished game; versions are 12 digits of a hash, moves are cells with blanks between."""

    game: str
    variant: str
    opening: int
    repeat: int
    first: str
    second: str
    first_version: str
    second_version: str
    winner: str
    ending: str
    detail: str
    moves: str
    opening_plies: int
    plies: int
    isolation: str
    first_cpu_seconds: float
    second_cpu_seconds: float
    first_wall_seconds: float
    second_wall_seconds: float

    @property
    def cells(self) -> tuple[int, ...]:
        """The moves as numbers; ValueError if they are none."""
        return cells_of(self.moves)

    @property
    def winning_side(self) -> int:
        """The side that won: 0 or 1."""
        return 0 if self.winner == self.first else 1

    @property
    def loser(self) -> str:
        """The name of the bot that lost."""
        return self.second if self.winner == self.first else self.first

    @property
    def result(self) -> tuple[str, str, str]:
        """What two plays of the same game are compared by."""
        return self.winner, self.ending, self.moves


GAME_COLUMNS = list(GameRow._fields)
"""The columns of a game, in the order of the log and of games.csv."""


def cells_of(text: str) -> tuple[int, ...]:
    """Return cells from the numbers that the log has for them."""
    return tuple(map(int, text.split()))


def write_cells(cells: tuple[int, ...]) -> str:
    """Return cells as the log writes them: numbers with blanks between."""
    return " ".join(map(str, cells))
