"""A game on paper: what identifies it before it is played, what a bot is told of it, and its record after."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from arena.game import Variant
from arena.referee.endings import Ending
from arena.referee.row import GameRow, write_cells


class Limits(NamedTuple):
    """What a bot may use; seconds are CPU, memory is resident."""

    move_seconds: float = 1.0
    game_seconds: float = 10.0
    start_seconds: float = 5.0
    memory_mib: int = 512


SEED = 8721
"""Of a tournament that names none."""

DEFAULT_LIMITS = Limits()


def patience(seconds: float) -> float:
    """Return how long a bot with a limit may sleep where nobody can tell that from waiting for a core."""
    return 2 * seconds + 1


def longest_wait(seconds: float) -> float:
    """Return the seconds of plain time after which a request with a limit ends in any case."""
    return 10 * patience(seconds)


ID_FORMAT = 3
"""How games are named and seeds drawn in a folder that is begun now; one begun before goes on as it was."""


class GameSpec(NamedTuple):
    """One game to be played: who, what, from which opening, under which limits."""

    game: str  # its id
    variant: Variant
    first: str  # the name of the bot of side 0
    second: str
    first_version: str  # the full hash of its source
    second_version: str
    opening: tuple[int, ...] = ()
    seed: int = SEED
    limits: Limits = DEFAULT_LIMITS
    opening_number: int = 0
    repeat: int = 0
    id_format: int = ID_FORMAT  # which also says how seeds are drawn
    moves_asked: int = 0  # after so many a trial ends, which nobody counts; 0 for a game that is played out

    def bot_seed(self, side: int) -> int:
        """Return the seed of one side's bot, below 2**53.

        It depends on nothing that tells who the opponent is: a bot that knew would also know its opponent's
        chance, wherever the tournament's seed is known.
        """
        version = (self.first_version, self.second_version)[side]
        parts = (self.seed, self.variant.name, write_cells(self.opening), self.repeat, side, version)
        text = "\n".join(map(str, ("arena seed 3", *parts)))
        if self.id_format < 3:  # as the folder was begun
            text = f"{self.seed} {self.game} {side} {version}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 11


class Game(NamedTuple):
    """What a bot is told when a game begins."""

    variant: Variant
    side: int
    seed: int
    limits: Limits


Row = tuple[Any, ...]
"""A row of the log, of whatever columns."""


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

    def row(self) -> GameRow:
        """Return what the log keeps: texts and numbers only, versions cut short."""
        return GameRow(
            game=self.game,
            variant=self.variant,
            opening=self.opening,
            repeat=self.repeat,
            first=self.first,
            second=self.second,
            first_version=self.first_version[:12],
            second_version=self.second_version[:12],
            winner=self.winner,
            ending=self.ending.value,
            detail=self.detail,
            moves=write_cells(self.moves),
            opening_plies=self.opening_plies,
            plies=len(self.moves),
            isolation=self.isolation,
            first_cpu_seconds=self.first_cpu_seconds,
            second_cpu_seconds=self.second_cpu_seconds,
            first_wall_seconds=self.first_wall_seconds,
            second_wall_seconds=self.second_wall_seconds,
        )

    @property
    def plies(self) -> int:
        """How many moves were made, the opening included."""
        return len(self.moves)
