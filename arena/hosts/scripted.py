"""The host of nobody: it answers with the moves of a game that was played before.

So one bot alone can be asked again in every position that it was asked in, whoever the opponent was.
"""

from __future__ import annotations

from arena.game import Position
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Game


class ScriptedHost:
    """Answers at every ply with the move that was made there."""

    isolation = "sandboxed"
    by_signal = False
    takes_clock = False
    printed = ""

    def __init__(self, moves: tuple[int, ...]) -> None:
        self._moves = moves

    def begin(self, game: Game) -> Failure | None:
        """It is always ready."""
        return None

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        """Return the move of the game that was played; where that ended, there is none."""
        ply = len(position.history)
        if ply >= len(self._moves):
            return Reply(-1, failure=Failure(Ending.CRASH, "has no move: the game ended here"))
        return Reply(self._moves[ply])

    def finish(self, outcome: Outcome) -> None:
        """Nobody is told."""

    def close(self) -> None:
        """There is nothing to let go of."""
