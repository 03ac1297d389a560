"""Who sits at the board in `arena play`: people, and bots behind their hosts.

A bot keeps its seat for a whole match. Every game begins it anew, so it starts from its state after import.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import UserError, printable
from arena.game import Position, Variant
from arena.plaintext import for_terminal

if TYPE_CHECKING:
    from arena.bots.source import Source
    from arena.config.reading import Tournament
    from arena.hosts.play import Host
    from arena.referee.endings import Outcome
    from arena.referee.game import Limits
    from arena.sandbox.template import Template


class Forfeit(Exception):  # noqa: N818 - not an error: a game has ended
    """A bot has lost by breaking a rule, after these moves; the outcome says which rule."""

    def __init__(self, outcome: Outcome, moves: tuple[int, ...]) -> None:
        super().__init__(f"{outcome.ending}, {outcome.detail}")
        self.outcome = outcome
        self.moves = moves


class Manner(NamedTuple):
    """How bots are run, and the tournament file that may name them and sets their limits."""

    isolation: str = "sandboxed"
    is_debugged: bool = False
    tournament: Tournament | None = None
    commands: tuple[Source, ...] = ()  # bots in other languages that the user has typed

    def limits_of(self, name: str) -> Limits:
        """Return what a bot may use: by the tournament file, or else as usual."""
        from arena import referee

        return self.tournament.limits_of(name) if self.tournament is not None else referee.DEFAULT_LIMITS


class Seat:
    """One bot: its name, its host, what is left of its clock, and how much of its printing was shown."""

    def __init__(self, typed: str, name: str, host: Host) -> None:
        self.name = name
        self.host = host
        self._typed = typed
        self._shown = 0
        self._seconds_left = 0.0

    def begin(self, variant: Variant, side: int, limits: Limits) -> None:
        """Begin a game; UserError if the bot cannot start."""
        from arena.referee import Game

        self._shown, self._seconds_left = 0, limits.game_seconds
        failure = self.host.begin(Game(variant, side, _draw_seed(), limits))
        self._show_printed()
        if failure is not None:
            raise cannot_start(self._typed, failure.detail)

    def ask(self, position: Position, limits: Limits) -> int:
        """Return the bot's legal move, showing what it prints; Forfeit if it gives none."""
        from arena.referee import judge

        left = self._seconds_left
        reply = self.host.ask(position, left)
        self._show_printed()
        _, outcome = judge(position, reply, limits, limits.game_seconds - left)
        self._seconds_left = left - reply.cpu_seconds - reply.idle_seconds
        if outcome is not None and outcome.ending.is_forfeit:
            raise Forfeit(outcome, position.history)
        return reply.move

    def _show_printed(self) -> None:
        printed = self.host.printed
        for line in printed[self._shown :].splitlines():
            print(for_terminal(f"{self.name} printed: {printable(line, 500)}"), flush=True)
        self._shown = len(printed)


class Seats:
    """Both players, None for a person; entering the context opens the bots' hosts, leaving it ends them."""

    def __init__(self, players: tuple[str | None, str | None], manner: Manner) -> None:
        self._typed = dict(enumerate(players, 1))
        self._manner = manner
        self._template: Template | None = None
        self._by_player: dict[int, Seat] = {}
        self._by_side: dict[int, Seat] = {}

    def __enter__(self) -> Seats:
        try:
            for player, typed in self._typed.items():
                if typed is not None:
                    self._by_player[player] = self._open(typed)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for seat in self._by_player.values():
            seat.host.close()
        if self._template is not None:
            self._template.close()

    @property
    def bots(self) -> dict[int, str]:
        """The names of the bots by player, 1 or 2."""
        return {player: seat.name for player, seat in self._by_player.items()}

    def begin(self, variant: Variant, starter: int) -> None:
        """Begin a game in which the player `starter` moves first; UserError if a bot cannot start."""
        players = (1, 2) if starter == 1 else (2, 1)
        seats = enumerate(map(self._by_player.get, players))
        self._by_side = {side: seat for side, seat in seats if seat is not None}
        for side, seat in self._by_side.items():
            seat.begin(variant, side, self._manner.limits_of(seat.name))

    def is_person(self, side: int) -> bool:
        """Whether a person plays this side."""
        return side not in self._by_side

    def ask(self, position: Position) -> int:
        """Return a bot's legal move; Forfeit if it gives none."""
        seat = self._by_side[position.to_move]
        return seat.ask(position, self._manner.limits_of(seat.name))

    def finish(self, outcome: Outcome) -> None:
        """Tell the bots how the game ended."""
        for seat in self._by_side.values():
            seat.host.finish(outcome)

    def _open(self, typed: str) -> Seat:
        from arena.config.versus import find_entered
        from arena.inside.program import BotFault
        from arena.sandbox.template import Template

        source, path = find_entered(typed, self._manner.tournament, self._manner.commands)
        self._template = self._template or Template()
        try:
            return Seat(typed, source.name, self._host(source, path, self._template))
        except BotFault as fault:
            raise cannot_start(typed, fault.failure.detail) from None

    def _host(self, source: Source, path: Path | None, template: Template) -> Host:
        from arena.hosts.debugged import DebuggedHost
        from arena.hosts.opening import open_host, program_at

        if self._manner.is_debugged and path is not None:
            return DebuggedHost(program_at(path))
        return open_host(source, path, self._manner.isolation, template)


def cannot_start(typed: str, why: str) -> UserError:
    """Return what to raise for a bot that does not start: one sentence, and where to see more."""
    return UserError(f"{printable(typed, 200)} cannot start: {why}; `arena check` shows where")


def _draw_seed() -> int:
    """Return a random seed, so that bots do not play the same game every time."""
    import random

    return random.SystemRandom().randrange(2**53)
