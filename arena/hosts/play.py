"""One game between two hosts: ask, judge, until there is an outcome.

If a process ends by a signal that somebody outside may have sent (`signals`), it may be the fault of the bot
or of the machine. So such a game is played once more, alone, in fresh processes. If it happens again while a
bot is asked, that bot loses. A game that is spoilt twice by our own fault is void. The record says so in
either case.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from arena.errors import Void
from arena.game import Position
from arena.plaintext import for_lines
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Game, GameRecord, GameSpec
from arena.referee.judge import end_of, judge, no_start, starting_order
from arena.referee.record import nothing_spent, record


class Host(Protocol):
    """Our end of the line to one bot."""

    @property
    def isolation(self) -> str:
        """How the bot is run: `trusted` or `sandboxed`."""

    @property
    def by_signal(self) -> bool:
        """Whether the last failure was a signal that somebody outside may have sent."""

    @property
    def takes_clock(self) -> bool:
        """Whether the bot asks for its clock, and so cannot be repeated."""

    @property
    def printed(self) -> str:
        """What the bot has printed in this game, up to 64 KiB."""

    def begin(self, game: Game) -> Failure | None:
        """Tell the bot that a game begins; start it first if needed."""

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        """Ask for a move; always returns, within the limits of the clock."""

    def finish(self, outcome: Outcome) -> None:
        """Tell the bot how the game ended, if it lives."""

    def close(self) -> None:
        """Let go of the bot; the next game starts it again."""


def play_surely(spec: GameSpec, first: Host, second: Host) -> GameRecord:
    """Play one game, and once more if it was spoilt; Void if it was spoilt again by no bot's fault."""
    try:
        record = play(spec, first, second)
        if not (first.by_signal or second.by_signal):
            return record
        again = (spec.first if first.by_signal else spec.second, _say_when(record))
    except Void as void:
        again = ("", str(void))
    first.close()
    second.close()
    try:
        return play(spec, first, second)._replace(again=again)
    except Void as void:
        raise Void(f"{void}; before that {' '.join(again).strip()}") from None


def _say_when(record: GameRecord) -> str:
    """Return how a bot was lost, and when."""
    if record.ending is Ending.NO_START:
        return f"{record.detail} when it was begun"
    ply = record.plies + 1
    return f"{record.detail.removeprefix(f'ply {ply}: ')} at ply {ply}"


def play(spec: GameSpec, first: Host, second: Host) -> GameRecord:
    """Play one game to its end and return its record."""
    hosts = (first, second)
    position = spec.variant.replay(spec.opening)
    spent = nothing_spent()
    charged = [0.0, 0.0]
    outcome = _begin(spec, hosts, position)
    limits = spec.limits
    last = len(position.history) + (spec.moves_asked or position.board.size)
    while outcome is None:
        side = position.to_move
        seconds = spent[side]
        reply = hosts[side].ask(position, limits.game_seconds - charged[side])
        position, outcome = judge(position, reply, limits, charged[side])
        charged[side] += reply.cpu_seconds + reply.idle_seconds
        seconds[0] += reply.cpu_seconds
        seconds[1] += reply.wall_seconds
        if outcome is None and len(position.history) >= last:
            outcome = end_of(position)
    finished = record(spec, position, outcome, spent, isolation_of(hosts))
    if outcome.ending.is_forfeit:
        finished = finished._replace(printed=for_lines(hosts[1 - outcome.winner].printed))
    if first.takes_clock or second.takes_clock:
        finished = finished._replace(takes_clock=(first.takes_clock, second.takes_clock))
    for host in hosts:
        host.finish(outcome)
    return finished


def _begin(spec: GameSpec, hosts: tuple[Host, Host], position: Position) -> Outcome | None:
    """Begin the game on both sides; return the outcome if that ends it."""
    for side in starting_order(position):
        failure = hosts[side].begin(spec.game_of(side))
        if failure is not None:
            return no_start(side, failure.detail, failure.evidence)
    return end_of(position) if position.is_over else None


class Isolated(Protocol):
    """A host, as far as it says how its bot is run."""

    @property
    def isolation(self) -> str:
        """How the bot is run: `trusted` or `sandboxed`."""


def isolation_of(hosts: Iterable[Isolated]) -> str:
    """Return how a game is played: sandboxed if both bots are."""
    return "sandboxed" if all(host.isolation == "sandboxed" for host in hosts) else "trusted"
