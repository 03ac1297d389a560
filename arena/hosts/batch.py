"""Many games of one pairing in lockstep: one message carries many positions, so a move costs little.

It stays exact. Every game has its own copy of the bot, executed anew, and chance is seeded before every
move, so a bot cannot tell a batch from a single game. A batch whose whole CPU is below the limit of a single
move proves that no move in it overran; as soon as that, or anything else, is not plain, the whole batch is
dropped and its games are played one at a time. So whatever a record says was seen or proven.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.game import Position
from arena.hosts.play import record
from arena.hosts.sandboxed import SandboxedHost
from arena.referee.endings import Ending, Outcome, Reply
from arena.referee.game import Game, GameRecord, GameSpec
from arena.referee.judge import judge

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
        self._outcomes: dict[int, Outcome] = {}
        self._spent = [[[0.0, 0.0], [0.0, 0.0]] for _ in specs]
        self._cpu = dict.fromkeys(hosts, 0.0)

    def play(self) -> list[GameRecord] | None:
        if not self._begin():
            return None
        while len(self._outcomes) < len(self._specs):
            for name in self._hosts:
                if not self._turn(name):
                    return None
        return [
            record(spec, self._positions[number], self._outcomes[number], self._spent[number], "sandboxed")
            for number, spec in enumerate(self._specs)
        ]

    def _begin(self) -> bool:
        """Begin every game on both sides; a game that an opening has ended needs no turn."""
        for number, position in enumerate(self._positions):
            if position.is_over:
                self._outcomes[number] = Outcome(1 - position.to_move, Ending.NO_MOVES)
        return all(
            host.begin_many([_game(spec, name) for spec in self._specs]) for name, host in self._hosts.items()
        )

    def _turn(self, name: str) -> bool:
        """Ask one bot in all games where it is to move; False if the batch proves nothing any more."""
        asked = [
            (number, position)
            for number, position in enumerate(self._positions)
            if number not in self._outcomes and _name(self._specs[number], position.to_move) == name
        ]
        if not asked:
            return True
        answer = self._hosts[name].ask_many(asked, self._limits.move_seconds)
        if answer is None:
            return False
        moves, cpu, wall = answer
        self._cpu[name] += cpu
        for (number, position), move in zip(asked, moves, strict=True):
            self._judge(number, position, Reply(move, cpu / len(asked), wall / len(asked)))
        return self._cpu[name] <= self._limits.game_seconds

    def _judge(self, number: int, position: Position, reply: Reply) -> None:
        spent = self._spent[number][position.to_move]
        judged = judge(position, reply, self._limits, spent[0])
        spent[0] += reply.cpu_seconds
        spent[1] += reply.wall_seconds
        if isinstance(judged, Position):
            self._positions[number] = judged
        else:
            assert judged.ending is Ending.NO_MOVES, "the runner does not reply with illegal moves in a batch"
            self._outcomes[number] = judged
            self._positions[number] = position.play(reply.move)


def _name(spec: GameSpec, side: int) -> str:
    return spec.second if side else spec.first


def _game(spec: GameSpec, name: str) -> Game:
    side = 0 if spec.first == name else 1
    return Game(spec.variant, side, spec.bot_seed(side), spec.limits)
