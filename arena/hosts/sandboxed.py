"""The sandboxed host: a Python bot in a process of its own, behind all the walls that this machine has."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from typing import NoReturn

from arena.bots.source import Source
from arena.errors import printable
from arena.game import Position, Variant
from arena.hosts.batch import Answered, Asked
from arena.hosts.confined import FREE_AT_START, ConfinedHost, instead_of_a_reply
from arena.hosts.line import BotLost
from arena.inside import wire
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Game, Limits
from arena.sandbox.template import Template

_ONE_REPLY_SIZE = wire.ONE_REPLY.size
_unpack_one_reply = wire.ONE_REPLY.unpack
_CELL_SIZE = wire.CELL.size

ALONE = 0
"""The slot of a game that is played by itself."""


class SandboxedHost(ConfinedHost):
    """A sandboxed Python bot; its process serves many games, each from the state just after import."""

    def __init__(self, source: Source, template: Template) -> None:
        super().__init__(source, template)
        self._variants: dict[Variant, int] = {}  # those that the runner knows, and their numbers
        self._plies: dict[int, int] = {}  # for each slot, how many plies the runner knows of
        self._nonces: list[bytes] = []

    def begin(self, game: Game) -> Failure | None:
        """Begin a game that is played by itself, in a process that is started if need be."""
        return self._begin_surely(game, self._begin_once)

    def _begin_once(self, game: Game) -> None:
        self._ensure(game.limits)
        assert self._line is not None
        self._line.forget_printed()
        self._begin(ALONE, game)

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        """Ask for a move in the game that is played by itself."""
        nonce = self._nonces.pop() if self._nonces else self._nonce()
        history, plies = position.history, self._plies
        new = history[plies[ALONE] :]
        plies[ALONE] = len(history) + 1
        limit = self._limits.move_seconds
        seconds = limit if limit < game_seconds_left else game_seconds_left
        if len(new) <= 1:
            frame = wire.one_move_frame(nonce, game_seconds_left, ALONE, new)
        else:
            frame = wire.move_frame(nonce, game_seconds_left, [(ALONE, new)])
        assert self._line is not None, "a game begins before a bot is asked"
        try:
            found, cpu, wall, idle = self._line.exchange(frame, seconds, wire.is_whole, _ONE_REPLY_SIZE)
            if len(found) == _ONE_REPLY_SIZE:
                sent_nonce, kind, length, move = _unpack_one_reply(found)
                if sent_nonce == nonce and kind == wire.DONE and length == _CELL_SIZE:
                    return Reply(move, cpu, wall, None, idle)
            kind, payload = self._taken_apart(found, nonce)
        except BotLost as lost:
            return self._lost_reply(lost)
        return Reply(-1, cpu, wall, _failure(kind, payload), idle)

    @property
    def plays_many(self) -> bool:
        """Whether it may play many games at once; not with helper modules, which games would share."""
        return len(self.source.files) == 1

    def begin_many(self, games: Mapping[int, Game]) -> Failure | None:
        """Begin many games at once, each in its slot; a failure if they must be played one at a time.

        A bot that asks for its clock cannot be played in batches either; `takes_clock` is then true.
        """
        try:
            limits = next(iter(games.values())).limits
            self._ensure(limits)
            assert self._line is not None
            self._line.forget_printed()
            for variant in dict.fromkeys(game.variant for game in games.values()):
                self._teach(variant, limits)
            nonce = self._nonce()
            known = self._variants
            told = [(slot, known[game.variant], game.side, game.seed) for slot, game in games.items()]
            self._read_begun(wire.games_frame(nonce, limits, told), nonce, limits)
            if self.takes_clock:
                raise self._line.lose(Failure(Ending.NO_START, "asks for its clock"))
        except BotLost as lost:
            return self._lose(lost)
        return None

    def ask_many(
        self, asked: list[Asked], positions: Sequence[Position], seconds: float
    ) -> Answered | Failure:
        """Ask for a move in each of many games at once: the moves, CPU, wall and idle seconds of all of them.

        With the number of each game come the cells that the bot does not know of yet. A failure if anything
        was unusual, or if all of it took longer than one move may take: then nothing is known about any
        single move, and the games must be played one at a time.
        """
        assert self._line is not None, "games begin before a bot is asked"
        nonce = self._nonce()
        try:
            frame = wire.move_frame(nonce, seconds, asked)
            found, cpu, wall, idle = self._line.exchange(frame, seconds, wire.is_whole)
            kind, payload = self._taken_apart(found, nonce)
        except BotLost as lost:
            return self._lose(lost)
        if cpu + idle > seconds:
            return Failure(Ending.TIMEOUT, f"used {cpu + idle:.3f} s, and may use {seconds:g} s")
        if kind == wire.DONE and len(payload) == _CELL_SIZE < 2 * len(asked):  # how the runner shows it
            return Failure(Ending.ILLEGAL, f"claimed cell {wire.CELL.unpack(payload)[0]}, which is not legal")
        if kind != wire.DONE or len(payload) != 2 * len(asked):
            return _failure(kind, payload)
        return list(struct.unpack(f"<{len(asked)}H", payload)), cpu, wall, idle

    def forget_many(self) -> None:
        """Let the bot's process drop the games of a batch."""
        if self._line is not None and self._line.is_open:
            try:
                self._line.send(wire.frame(wire.FORGET, b""), self._limits.move_seconds)
            except BotLost as lost:
                self._lose(lost)

    def finish(self, outcome: Outcome) -> None:
        """The game is over; the bot hears of it when the next one begins."""

    def _ensure(self, limits: Limits) -> None:
        """Start a process, unless there is one, and let it compile the bot's body."""
        if self._has_process(limits):
            return
        self._start(limits)
        self._variants = {}
        nonce = self._nonce()
        inside = "/bot" if self.template.walls.namespaces else self._folder
        load = wire.frame(wire.LOAD, nonce + os.path.join(inside, self.source.main).encode())
        kind, payload = self._read_start(load, nonce, limits)
        if kind != wire.DONE or payload:
            self._refuse(kind, payload)

    def _begin(self, slot: int, game: Game) -> None:
        """Let the process execute the body for a new game."""
        self._teach(game.variant, game.limits)
        nonce = self._nonce()
        frame = self._game_frame(nonce, slot, game)
        self._read_begun(frame, nonce, game.limits)
        self._plies[slot] = 0

    def _read_begun(self, frame: bytes, nonce: bytes, limits: Limits) -> None:
        """Begin one game or many, and learn whether the bot asks for its clock."""
        kind, payload = self._read_start(frame, nonce, limits)
        if kind != wire.DONE or len(payload) != _CELL_SIZE:
            self._refuse(kind, payload)
        self.takes_clock = payload != b"\0\0"

    def _teach(self, variant: Variant, limits: Limits) -> None:
        """Send a variant to a runner that does not know it yet."""
        assert self._line is not None
        if variant not in self._variants:
            number = self._variants[variant] = len(self._variants)
            self._line.send(wire.variant_frame(number, variant), limits.start_seconds)

    def _game_frame(self, nonce: bytes, slot: int, game: Game) -> bytes:
        number = self._variants[game.variant]
        return wire.game_frame(wire.GameRequest(nonce, slot, number, game.side, game.seed, game.limits))

    def _read_start(self, data: bytes, nonce: bytes, limits: Limits) -> tuple[int, bytes]:
        """Return the kind and payload of a reply during a start; BotLost if it is not exactly one reply."""
        assert self._line is not None
        found, *_ = self._line.exchange(data, limits.start_seconds, wire.is_whole, free=FREE_AT_START)
        return self._taken_apart(found, nonce)

    def _taken_apart(self, found: bytes, nonce: bytes) -> tuple[int, bytes]:
        """Return a reply's kind and payload; BotLost if it is not exactly one reply to this request."""
        assert self._line is not None
        sent_nonce, kind, length = wire.REPLY.unpack_from(found)
        if sent_nonce != nonce or length > wire.MOST_REPLY or len(found) != 13 + length:
            raise self._line.lose(instead_of_a_reply(found))
        return kind, found[13:]

    def _nonce(self) -> bytes:
        """Return eight unpredictable bytes; they are read from the kernel in larger blocks, to save calls."""
        if not self._nonces:
            pool = os.urandom(4096)
            self._nonces = [pool[at : at + 8] for at in range(0, 4096, 8)]
        return self._nonces.pop()

    def _refuse(self, kind: int, payload: bytes) -> NoReturn:
        assert self._line is not None
        raise self._line.lose(_failure(kind, payload))


def _failure(kind: int, payload: bytes) -> Failure:
    """Return the failure that a reply other than a move stands for."""
    if kind == wire.NUMBER and len(payload) <= 200:
        return Failure(Ending.ILLEGAL, f"answered {printable(payload.decode(errors='replace'), 80)}")
    fault = wire.read_fault(payload) if kind == wire.FAULT else None
    if fault is None:
        return instead_of_a_reply(payload)
    ending, detail, evidence = fault
    lines = "\n".join(printable(line, 500) for line in evidence.splitlines())
    return Failure(ending, printable(detail.strip(), 300), lines)
