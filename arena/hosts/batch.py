"""Many games of one pairing in lockstep: one message carries many positions, so a move costs little.

It stays exact. Every game has its own copy of the bot, executed from scratch, and random numbers are seeded
before every move, so a bot cannot tell a batch from a single game. If the whole time of a batch is below the
limit of a single move, no move in it can have been too slow. In any other case, and if anything else is
unusual, the whole batch is dropped and its games are played one at a time. So everything in a record was
either seen or proven.

A bot that has spoilt a batch has seen the opponent's answers in games that are now played again. So both
processes end with the batch: what a bot remembered outside the games, in `sys` or in C, is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.hosts.sandboxed import SandboxedHost
from arena.referee.endings import Ending, Failure
from arena.referee.game import Game, GameRecord, GameSpec
from arena.referee.judge import claim, end_of
from arena.referee.record import nothing_spent, record

MOST_GAMES = 64
"""Games in one batch: more would not make a move cheaper."""


class Dropped(NamedTuple):
    """A batch that proves nothing, and why: its games are played one at a time, in fresh processes."""

    bot: str  # the bot that spoilt it; empty if it was none
    reason: str  # a sentence; empty if no bot was asked for a move yet, so that none has seen anything
    is_lasting: bool = False  # whether this bot would spoil the next one too


def play_batch(specs: Sequence[GameSpec], hosts: dict[str, SandboxedHost]) -> list[GameRecord] | Dropped:
    """Play games of the same two bots with the same limits in lockstep, unless that proves nothing."""
    played: list[GameRecord] | Dropped | None = None
    try:
        played = _Batch(specs, hosts).play()
        return played
    finally:
        for host in hosts.values():
            if isinstance(played, list):
                host.forget_many()
            else:
                host.close()


class _Batch:
    def __init__(self, specs: Sequence[GameSpec], hosts: dict[str, SandboxedHost]) -> None:
        self._specs = specs
        self._hosts = hosts
        self._limits = specs[0].limits
        self._positions = [spec.variant.replay(spec.opening) for spec in specs]
        self._spent = [nothing_spent() for _ in specs]
        self._charged = dict.fromkeys(hosts, 0.0)
        one, other = hosts
        self._other = {one: other, other: one}
        # The plies after which trials end; games that are played to the end have none.
        self._lasts = [len(s.opening) + s.moves_asked for s in specs] if specs[0].moves_asked else []
        # The games in which each bot is to move; a game that is already over is in neither list.
        self._waiting: dict[str, list[int]] = {name: [] for name in hosts}

    def play(self) -> list[GameRecord] | Dropped:
        for name, host in self._hosts.items():
            failure = host.begin_many(self._games(name))
            if failure is not None:
                return self._drop_start(name, failure)
        for number, position in enumerate(self._positions):
            if not position.is_over:
                spec = self._specs[number]
                self._waiting[spec.second if position.to_move else spec.first].append(number)
        while any(self._waiting.values()):
            for name in self._hosts:
                failure = self._turn(name)
                if failure is not None:
                    return self._drop(name, failure, "move")
        return [self._record(number) for number in range(len(self._specs))]

    def _drop_start(self, name: str, failure: Failure) -> Dropped:
        """Return why a bot did not start; not even that unless somebody outside may have ended it.

        Nobody was asked yet, so nothing is played again.
        """
        host = self._hosts[name]
        if host.takes_clock:
            return Dropped(name, "", is_lasting=True)
        is_silent = failure.ending is Ending.NO_START and not host.by_signal
        return Dropped(name, "") if is_silent else self._drop(name, failure, "start")

    def _drop(self, name: str, failure: Failure, what: str) -> Dropped:
        games = f"a batch of {len(self._specs)} games"
        what = "game" if self._charged[name] > self._limits.game_seconds else what
        if failure.ending is Ending.TIMEOUT:
            return Dropped(name, f"{games} took more time than one {what} may", is_lasting=True)
        return Dropped(name, f"{failure.detail.strip()} in {games}")

    def _games(self, name: str) -> list[Game]:
        sides = [0 if spec.first == name else 1 for spec in self._specs]
        games = zip(self._specs, sides, strict=True)
        return [Game(spec.variant, side, spec.bot_seed(side), spec.limits_of(side)) for spec, side in games]

    def _turn(self, name: str) -> Failure | None:
        """Ask one bot in all games where it is to move; a failure if the batch no longer proves anything."""
        asked, self._waiting[name] = self._waiting[name], []
        if not asked:
            return None
        positions = self._positions
        answer = self._hosts[name].ask_many(
            [(number, positions[number]) for number in asked], self._limits.move_seconds
        )
        if isinstance(answer, Failure):
            return answer
        moves, cpu, wall, idle = answer
        self._charged[name] += cpu + idle
        if self._charged[name] > self._limits.game_seconds:
            return Failure(Ending.TIMEOUT, "took longer than a game may")
        waiting = self._waiting[self._other[name]]
        return self._claim(asked, moves, cpu / len(asked), wall / len(asked), waiting)

    def _claim(
        self, asked: list[int], moves: list[int], cpu: float, wall: float, waiting: list[int]
    ) -> Failure | None:
        """Make the moves on the referee's own positions; a failure if one of them is illegal.

        If a game goes on, it is added to `waiting`, the turns of the other bot.
        """
        positions, all_spent, lasts = self._positions, self._spent, self._lasts
        for number, move in zip(asked, moves, strict=True):
            position = positions[number]
            spent = all_spent[number][position.to_move]
            spent[0] += cpu
            spent[1] += wall
            after, outcome = claim(position, move)
            positions[number] = after
            if outcome is None:
                if not lasts or len(after.history) < lasts[number]:
                    waiting.append(number)
            elif outcome.ending is not Ending.NO_MOVES:
                return Failure(outcome.ending, outcome.detail)
        return None

    def _record(self, number: int) -> GameRecord:
        position = self._positions[number]
        return record(self._specs[number], position, end_of(position), self._spent[number], "sandboxed")
