"""A game on paper: what identifies it before it is played, what a bot is told of it, and its record after."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from arena.game import Variant
from arena.referee.endings import Ending


class Limits(NamedTuple):
    """What a bot may use; seconds are CPU, memory is resident."""

    move_seconds: float = 1.0
    game_seconds: float = 10.0
    start_seconds: float = 5.0
    memory_mib: int = 512


DEFAULT_LIMITS = Limits()


class GameSpec(NamedTuple):
    """One game to be played: who, what, from which opening, under which limits."""

    game: str  # its id, which the seeds depend on
    variant: Variant
    first: str  # the name of the bot of side 0
    second: str
    first_version: str  # the full hash of its source
    second_version: str
    opening: tuple[int, ...] = ()
    seed: int = 8721
    limits: Limits = DEFAULT_LIMITS
    opening_number: int = 0
    repeat: int = 0

    def bot_seed(self, side: int) -> int:
        """Return the seed of one side's bot, below 2**53; the opponent cannot know it."""
        version = (self.first_version, self.second_version)[side]
        text = f"{self.seed} {self.game} {side} {version}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 11


class Game(NamedTuple):
    """What a bot is told when a game begins."""

    variant: Variant
    side: int
    seed: int
    limits: Limits


GAME_COLUMNS = (
    "game variant opening repeat first second first_version second_version winner ending detail moves "
    "opening_plies plies isolation first_cpu_seconds second_cpu_seconds first_wall_seconds "
    "second_wall_seconds"
).split()
"""What the log keeps of a game."""

Row = tuple[Any, ...]
"""A game as the log keeps it: the values of `GAME_COLUMNS`."""


class GameRecord(NamedTuple):
    """One finished game."""

    game: str
    variant: str
    opening: int  # its number
    repeat: int
    first: str
    second: str
    first_version: str
    second_version: str
    winner: str
    ending: Ending
    detail: str
    moves: tuple[int, ...]
    opening_plies: int
    isolation: str
    first_cpu_seconds: float
    second_cpu_seconds: float
    first_wall_seconds: float
    second_wall_seconds: float
    evidence: str = ""  # of the bot that forfeited, such as its traceback; kept beside the log
    printed: str = ""  # by the bot that forfeited; kept beside the log
    takes_clock: tuple[bool, bool] = (False, False)  # whether either bot asks for its clock
    again: tuple[str, str] | None = None  # if it was played once more: whose process failed before, and how

    @property
    def loser(self) -> str:
        """The name of the bot that lost."""
        return self.second if self.winner == self.first else self.first

    def row(self) -> Row:
        """Return what the log keeps: texts and numbers only, versions cut short."""
        head = self[:6]
        moves = " ".join(map(str, self.moves))
        versions = self.first_version[:12], self.second_version[:12]
        judged = self.winner, self.ending.value, self.detail, moves, self.opening_plies, len(self.moves)
        return (*head, *versions, *judged, *self[13:18])

    @property
    def plies(self) -> int:
        """How many moves were made, the opening included."""
        return len(self.moves)
