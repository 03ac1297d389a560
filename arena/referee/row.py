"""A game as the log keeps it: the one definition of its row, from which all columns follow. Pure.

It has texts and numbers only, so that a row can go through a pipe, a database and a spreadsheet unchanged.
"""

from __future__ import annotations

from typing import NamedTuple

ISOLATIONS = ("trusted", "sandboxed")
"""How a game was played: with a bot in our own process, or with both bots sandboxed."""


class GameRow(NamedTuple):
    """One finished game; versions are 12 digits of a hash, moves are cells separated by blanks."""

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
        """The moves as numbers; ValueError if they are not numbers."""
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
        """What is compared when the same game was played twice."""
        return self.winner, self.ending, self.moves


GAME_COLUMNS = list(GameRow._fields)
"""The columns of a game, in the order of the log and of games.csv, which has one more."""


def cells_of(text: str) -> tuple[int, ...]:
    """Return cells from a text as the log writes them."""
    return tuple(map(int, text.split()))


class _Texts(dict[int, str]):
    """Numbers as text, each made once: a third of the time, for every move of millions of games."""

    def __missing__(self, number: int) -> str:
        text = self[number] = str(number)
        return text


_text_of = _Texts().__getitem__


def write_cells(cells: tuple[int, ...]) -> str:
    """Return cells as the log writes them: numbers separated by blanks."""
    return " ".join(map(_text_of, cells))
