"""Endings, and what leads to them: why a game ended is data, not a sentence.

A forfeit is a game lost by breaking a rule, and it counts. A void is a game spoilt by our own fault. It is
not an ending and has no winner, and it never reaches the standings, so it is not in this file.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Ending(StrEnum):
    """Why a game ended."""

    NO_MOVES = "no-moves"
    ILLEGAL = "illegal"
    TIMEOUT = "timeout"
    CRASH = "crash"
    MEMORY = "memory"
    GARBAGE = "garbage"
    NO_START = "no-start"

    @property
    def is_forfeit(self) -> bool:
        """Whether the loser broke a rule; otherwise it had no move left."""
        return self is not Ending.NO_MOVES


class Failure(NamedTuple):
    """A bot did not do what it was asked to: the ending this becomes, a sentence, and any evidence."""

    ending: Ending
    detail: str
    evidence: str = ""  # such as a traceback, cut to the bot's own frames


class Reply(NamedTuple):
    """What a bot did when asked: a move and the seconds it took, or a failure."""

    move: int
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    failure: Failure | None = None
    idle_seconds: float = 0.0  # asleep, beyond the free allowance


class Outcome(NamedTuple):
    """How a game ended: the side that won, why, and for a forfeit a sentence."""

    winner: int
    ending: Ending
    detail: str = ""
    evidence: str = ""
