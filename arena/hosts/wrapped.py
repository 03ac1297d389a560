"""A host around another one: it passes everything on. Subclasses override what they want to observe."""

from __future__ import annotations

from arena.game import Position
from arena.hosts.play import Host
from arena.referee.endings import Failure, Outcome, Reply
from arena.referee.game import Game


class WrappedHost:
    """Does what the host inside does."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @property
    def isolation(self) -> str:
        """How the bot is run."""
        return self._host.isolation

    @property
    def by_signal(self) -> bool:
        """Whether the last failure was a signal that somebody outside may have sent."""
        return self._host.by_signal

    @property
    def takes_clock(self) -> bool:
        """Whether the bot asks for its clock."""
        return self._host.takes_clock

    @property
    def printed(self) -> str:
        """What the bot has printed in this game."""
        return self._host.printed

    def begin(self, game: Game) -> Failure | None:
        """Tell the bot that a game begins."""
        return self._host.begin(game)

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        """Ask for a move."""
        return self._host.ask(position, game_seconds_left)

    def finish(self, outcome: Outcome) -> None:
        """Tell the bot how the game ended."""
        self._host.finish(outcome)

    def close(self) -> None:
        """Let go of the bot."""
        self._host.close()
