"""What a worker is doing right now, noted before it does it: in shared memory, if the worker is a process.

If a trusted bot kills the process, the supervisor of the worker still knows whose fault it was.
"""

from __future__ import annotations

from ctypes import Structure, c_int
from enum import IntEnum

MOST_PLIES = 4096


class Doing(IntEnum):
    """What a bot is asked to do: nothing, to begin a game, to move, or one of these in many games."""

    NOTHING = 0
    BEGINNING = 1
    ASKING = 2
    TOGETHER = 3


class Status(Structure):
    """The game of the unit that is played, and what its bot is asked; `moves` holds the first `plies`."""

    game: int
    doing: int
    side: int
    plies: int
    in_play: int
    """How many games are in play, from this one on."""
    is_stopping: int
    moves: list[int]
    _fields_ = [
        ("game", c_int),
        ("doing", c_int),
        ("side", c_int),
        ("plies", c_int),
        ("in_play", c_int),
        ("is_stopping", c_int),
        ("moves", c_int * MOST_PLIES),
    ]

    def copy(self) -> Status:
        """Return what it is now, which stays so."""
        return Status.from_buffer_copy(self)

    @property
    def asked(self) -> tuple[int, int, int, int]:
        """Which bot is asked for what: another value for every request."""
        return self.game, self.doing, self.side, self.plies
