"""What counts: endings, replies and what a reply means, game specs and records. Pure."""

from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import DEFAULT_LIMITS, Game, GameRecord, GameSpec, Limits
from arena.referee.judge import judge

__all__ = [
    "DEFAULT_LIMITS",
    "Ending",
    "Failure",
    "Game",
    "GameRecord",
    "GameSpec",
    "Limits",
    "Outcome",
    "Reply",
    "judge",
]
