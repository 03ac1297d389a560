"""The host of a script: it answers with the moves of a game that was played before.

So one bot can be asked again, alone, in every position in which it was asked, whoever the opponent was. Where
a script says `ANY`, it makes the first legal move from there on: that is enough to try a bot.
"""

from __future__ import annotations

from arena.game import Position
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Game

ANY = -1


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
        """Return the move of the game that was played; a failure after its end."""
        ply = len(position.history)
        if ANY in self._moves[: ply + 1]:
            return Reply(position.legal_moves[0])
        if ply >= len(self._moves):
            return Reply(-1, failure=Failure(Ending.CRASH, "has no move: the game ended here"))
        return Reply(self._moves[ply])

    def finish(self, outcome: Outcome) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """There is nothing to let go of."""
