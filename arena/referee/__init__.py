"""What counts: endings, replies and what a reply means, game specs and records. Pure."""

from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import DEFAULT_LIMITS, Game, GameRecord, GameSpec, Limits
from arena.referee.judge import judge
from arena.referee.row import GAME_COLUMNS, GameRow

__all__ = [
    "DEFAULT_LIMITS",
    "GAME_COLUMNS",
    "Ending",
    "Failure",
    "Game",
    "GameRecord",
    "GameRow",
    "GameSpec",
    "Limits",
    "Outcome",
    "Reply",
    "judge",
]
