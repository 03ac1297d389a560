"""Who sits at the board in `arena play`: people, and bots behind their hosts."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from arena.cli.bots import HUMAN
from arena.game import Position, Variant
from arena.plaintext import for_terminal

if TYPE_CHECKING:
    from arena.hosts.play import Host
    from arena.sandbox.template import Template


class Forfeit(Exception):  # noqa: N818 - not an error: a game has ended
    """A bot has lost by breaking a rule; the text says which, and who has won."""


class Seats:
    """The players by side; entering the context starts bots, and leaving it ends them."""

    def __init__(self, players: tuple[str, str], variant: Variant, starter: int, isolation: str) -> None:
        self._names = players if starter == 1 else (players[1], players[0])
        self._players = (1, 2) if starter == 1 else (2, 1)
        self._variant = variant
        self._isolation = isolation
        self._template: Template | None = None
        self._hosts: dict[int, Host] = {}
        self._seconds_left: dict[int, float] = {}

    def __enter__(self) -> Seats:
        try:
            for side, name in enumerate(self._names):
                if name != HUMAN:
                    self._hosts[side] = self._seat(side, name)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for host in self._hosts.values():
            host.close()
        if self._template is not None:
            self._template.close()

    def is_person(self, side: int) -> bool:
        """Whether a person plays this side."""
        return side not in self._hosts

    def ask(self, position: Position) -> int:
        """Return a bot's legal move; Forfeit if it gives none."""
        from arena.referee import DEFAULT_LIMITS, judge

        side = position.to_move
        left = self._seconds_left[side]
        reply = self._hosts[side].ask(position, left)
        _, outcome = judge(position, reply, DEFAULT_LIMITS, DEFAULT_LIMITS.game_seconds - left)
        self._seconds_left[side] = left - reply.cpu_seconds - reply.idle_seconds
        if outcome is not None and outcome.ending.is_forfeit:
            raise self._forfeit(side, f"{outcome.ending}, {outcome.detail}")
        return reply.move

    def _seat(self, side: int, name: str) -> Host:
        from arena.bots.finding import read_bot
        from arena.hosts.opening import open_host
        from arena.referee import DEFAULT_LIMITS, Game
        from arena.sandbox.template import Template

        source, path = read_bot(name, Path())
        self._template = self._template or Template()
        host = open_host(source, path, self._isolation, self._template)
        failure = host.begin(Game(self._variant, side, _draw_seed(), DEFAULT_LIMITS))
        if failure is not None:
            host.close()
            raise self._forfeit(side, f"{failure.ending}, {failure.detail}")
        self._seconds_left[side] = DEFAULT_LIMITS.game_seconds
        return host

    def _forfeit(self, side: int, why: str) -> Forfeit:
        loser, winner = self._players[side], self._players[1 - side]
        told = for_terminal(f"Player {loser} ({self._names[side]}) forfeits: {why}.")
        return Forfeit(f"{told}\nPlayer {winner} wins the game!")


def _draw_seed() -> int:
    """Return a random seed, so that bots do not play the same game every time."""
    import random

    return random.SystemRandom().randrange(2**53)
