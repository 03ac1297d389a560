"""Many games of one pairing in lockstep: one message carries many positions, so a move costs little.

It stays exact. Every game has its own copy of the bot, executed anew, and chance is seeded before every
move, so a bot cannot tell a batch from a single game. A batch whose whole CPU is below the limit of a single
move proves that no move in it overran; as soon as that, or anything else, is not plain, the whole batch is
dropped and its games are played one at a time. So whatever a record says was seen or proven.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import IllegalMove
from arena.game import Position
from arena.hosts.play import record
from arena.hosts.sandboxed import SandboxedHost
from arena.referee.endings import Ending, Outcome
from arena.referee.game import Game, GameRecord, GameSpec

MOST_GAMES = 64
"""Games in one batch: more make a move no cheaper."""


def play_batch(specs: Sequence[GameSpec], hosts: dict[str, SandboxedHost]) -> list[GameRecord] | None:
    """Play games of the same two bots with the same limits in lockstep; None if that proves nothing."""
    batch = _Batch(specs, hosts)
    try:
        return batch.play()
    finally:
        for host in hosts.values():
            host.forget_many()


class _Batch:
    def __init__(self, specs: Sequence[GameSpec], hosts: dict[str, SandboxedHost]) -> None:
        self._specs = specs
        self._hosts = hosts
        self._limits = specs[0].limits
        self._positions = [spec.variant.replay(spec.opening) for spec in specs]
        self._spent = [[[0.0, 0.0], [0.0, 0.0]] for _ in specs]
        self._cpu = dict.fromkeys(hosts, 0.0)
        # The games in which each bot is to move; one that an opening has ended is in neither.
        self._waiting: dict[str, list[int]] = {name: [] for name in hosts}

    def play(self) -> list[GameRecord] | None:
        if not all(host.begin_many(self._games(name)) for name, host in self._hosts.items()):
            return None
        for number, position in enumerate(self._positions):
            self._queue(number, position)
        while any(self._waiting.values()):
            if not all(self._turn(name) for name in self._hosts):
                return None
        return [self._record(number) for number in range(len(self._specs))]

    def _games(self, name: str) -> list[Game]:
        sides = [0 if spec.first == name else 1 for spec in self._specs]
        games = zip(self._specs, sides, strict=True)
        return [Game(spec.variant, side, spec.bot_seed(side), spec.limits) for spec, side in games]

    def _queue(self, number: int, position: Position) -> None:
        if not position.is_over:
            spec = self._specs[number]
            self._waiting[spec.second if position.to_move else spec.first].append(number)

    def _turn(self, name: str) -> bool:
        """Ask one bot in all games where it is to move; False if the batch proves nothing any more."""
        asked, self._waiting[name] = self._waiting[name], []
        if not asked:
            return True
        positions = self._positions
        answer = self._hosts[name].ask_many(
            [(number, positions[number]) for number in asked], self._limits.move_seconds
        )
        if answer is None:
            return False
        moves, cpu, wall = answer
        self._cpu[name] += cpu
        return self._claim(asked, moves, cpu / len(asked), wall / len(asked)) and (
            self._cpu[name] <= self._limits.game_seconds
        )

    def _claim(self, asked: list[int], moves: list[int], cpu: float, wall: float) -> bool:
        """Make the moves on the referee's own positions; False if one of them is illegal."""
        for number, move in zip(asked, moves, strict=True):
            position = self._positions[number]
            spent = self._spent[number][position.to_move]
            spent[0] += cpu
            spent[1] += wall
            try:
                after = self._positions[number] = position.play(move)
            except IllegalMove:
                return False
            self._queue(number, after)
        return True

    def _record(self, number: int) -> GameRecord:
        position = self._positions[number]
        outcome = Outcome(1 - position.to_move, Ending.NO_MOVES)
        return record(self._specs[number], position, outcome, self._spent[number], "sandboxed")
