"""What counts: endings, replies and what a reply means, game specs and records. Pure."""

from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Game, GameRecord, GameSpec, Limits
from arena.referee.judge import judge

__all__ = ["Ending", "Failure", "Game", "GameRecord", "GameSpec", "Limits", "Outcome", "Reply", "judge"]
