"""A game on paper: what identifies it before it is played, what a bot is told about it, and its record."""

from __future__ import annotations

import hashlib
from functools import lru_cache
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
    solver: bool = True  # whether a bot may import arena.solver

    def by_key(self) -> dict[str, float]:
        """Return the limits by their names, as ids and logs have them; without a solver that is free to use.

        So a folder from before there was this limit stays as it is.
        """
        values = self._asdict()
        return values if not self.solver else {key: values[key] for key in values if key != "solver"}


SEED = 8721
"""Of a tournament that names none."""

DEFAULT_LIMITS = Limits()


def patience(seconds: float) -> float:
    """Return how long a bot may sleep where the kernel does not tell sleeping from waiting for a core."""
    return 2 * seconds + 1


def longest_wait(seconds: float) -> float:
    """Return the seconds of wall time after which a request ends in any case."""
    return 10 * patience(seconds)


ID_FORMAT = 3
"""How games get their ids and seeds in a new folder; an older folder keeps the format it was begun with."""


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
    id_format: int = ID_FORMAT  # also decides how seeds are drawn
    moves_asked: int = 0  # a trial ends after this many, and does not count; 0: play to the end
    keep_solver: tuple[bool, bool] = (False, False)  # whether a bot has the solver in spite of the limits

    def bot_seed(self, side: int) -> int:
        """Return the seed of one side's bot, below 2**53.

        It depends on nothing that tells who the opponent is. Otherwise a bot that knows the tournament's seed
        could compute its opponent's random numbers.
        """
        version = self.second_version if side else self.first_version
        if self.id_format < 3:  # the folder was begun with an older format
            return _draw_seed(f"{self.seed} {self.game} {side} {version}")
        return _seed_of(self.seed, self.variant.name, self.opening, self.repeat, side, version)

    def game_of(self, side: int) -> Game:
        """Return what one side's bot is told of the game."""
        return Game(self.variant, side, self.bot_seed(side), self.limits_of(side))

    def limits_of(self, side: int) -> Limits:
        """Return what one side's bot may use."""
        return self.limits._replace(solver=True) if self.keep_solver[side] else self.limits


@lru_cache(1 << 14)
def _seed_of(seed: int, variant: str, opening: tuple[int, ...], repeat: int, side: int, version: str) -> int:
    """Return the seed of a bot on an opening, which is the same against all opponents."""
    cells = write_cells(opening)
    return _draw_seed(f"arena seed 3\n{seed}\n{variant}\n{cells}\n{repeat}\n{side}\n{version}")


def _draw_seed(text: str) -> int:
    """Return a number below 2**53 that nobody can tell without the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 11


class Game(NamedTuple):
    """What a bot is told when a game begins."""

    variant: Variant
    side: int
    seed: int
    limits: Limits


Row = tuple[Any, ...]
"""A row of the log, with any columns."""


@lru_cache(1 << 10)
def _shorten(version: str) -> str:
    """Return as much of a version as the log keeps: the same object for the same version, for pickle."""
    return version[:12]


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
    again: tuple[str, str] | None = None  # if it was played again: whose process failed before, and how

    @property
    def loser(self) -> str:
        """The name of the bot that lost."""
        return self.second if self.winner == self.first else self.first

    def row(self) -> GameRow:
        """Return what the log keeps: texts and numbers only, versions cut short."""
        first_version, second_version, winner, ending, detail, moves, opening_plies, isolation = self[6:14]
        versions = _shorten(first_version), _shorten(second_version)
        told = (
            *versions,
            winner,
            ending.value,
            detail,
            write_cells(moves),
            opening_plies,
            len(moves),
            isolation,
        )
        return GameRow._make((*self[:6], *told, *self[14:18]))

    @property
    def plies(self) -> int:
        """How many moves were made, the opening included."""
        return len(self.moves)
