"""What runs in a sandboxed Python bot's process: reads requests, calls the bot, writes replies.

It is forked from the template, with everything imported and the walls up. It trusts the host. It needs no
protection from the bot: whatever the bot does to it, it does to its own game.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import NoReturn

from arena.errors import IllegalMove
from arena.game import RULE_BOOKS, Position, Variant, variant
from arena.inside import wire
from arena.inside.program import BotFault, Clock, Player, Program, answer
from arena.inside.program import number as as_number
from arena.inside.seeding import seed_random
from arena.referee.endings import Ending
from arena.referee.game import Game, Limits

_unpack_one_move = wire.ONE_MOVE.unpack
_pack_one_reply = wire.ONE_REPLY.pack


class _Slot:
    """One game in play."""

    __slots__ = ("limits", "move", "player", "position", "seed", "takes_clock")

    def __init__(self, player: Player, position: Position, seed: int, limits: Limits) -> None:
        self.player = player
        self.move = player.move
        self.takes_clock = player.takes_clock
        self.position = position
        self.seed = seed
        self.limits = limits


class Runner:
    """Serves one bot over two descriptors until the host closes its end.

    It is made once, in the template, so that what is the same for every bot is computed only once.
    """

    def __init__(self, requests: int, replies: int) -> None:
        self._requests = requests
        self._replies = replies
        self._program: Program | None = None
        self._variants: dict[int, Variant] = {}
        self._slots: dict[int, _Slot] = {}
        self._rule_books = {wire.pickle_variant(book): book for book in map(variant, RULE_BOOKS)}
        self._loaded = set(sys.modules)
        self._handlers = (
            self._load,
            self._variant,
            self._game,
            self._move,
            self._one_of_many,
            self._forget,
            self._games,
            self._step,
        )

    def serve(self) -> NoReturn:
        """Answer requests until the input ends, and then end the process."""
        buffer = b""
        head, read, requests = wire.REQUEST, os.read, self._requests
        usual_size, usual_kind, short = wire.ONE_MOVE.size, wire.ONE, wire.SHORT
        while True:
            data = read(requests, short)
            if not data:
                os._exit(0)
            if len(data) == usual_size and data[4] == usual_kind and not buffer:
                self._one_move(data)
                continue
            buffer = buffer + data if buffer else data
            while len(buffer) >= 5:
                length, kind = head.unpack_from(buffer)
                if len(buffer) < 5 + length:
                    break
                payload, buffer = buffer[5 : 5 + length], buffer[5 + length :]
                self._handlers[kind](payload)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._replies, data) :]

    def _load(self, payload: bytes) -> None:
        nonce, path = payload[:8], payload[8:].decode()
        try:
            sys.path.insert(0, os.path.dirname(path))
            self._program = Program(path, os.path.dirname(path), self._loaded)
        except BotFault as fault:
            self._fault(nonce, fault)
        else:
            self._write(wire.done_reply(nonce, []))

    def _variant(self, payload: bytes) -> None:
        (number,) = wire.CELL.unpack_from(payload)
        data = payload[2:]
        self._variants[number] = self._rule_books.get(data) or pickle.loads(data)  # ours: the host wrote it

    def _game(self, payload: bytes) -> None:
        request = wire.read_game(payload)
        self._begin(request.nonce, [request])

    def _games(self, payload: bytes) -> None:
        self._begin(*wire.read_games(payload))

    def _begin(self, nonce: bytes, requests: list[wire.GameRequest]) -> None:
        """Begin one game or many, each in its slot, and reply once: whether the bot asks for its clock."""
        takes_clock = False
        try:
            for request in requests:
                takes_clock |= self._begin_game(request)
        except BotFault as fault:
            self._fault(nonce, fault)
        else:
            # A bot that asks for its clock is never played in a batch: there it would see other games' time.
            self._write(wire.done_reply(nonce, [int(takes_clock)]))

    def _begin_game(self, request: wire.GameRequest) -> bool:
        _, slot, variant, side, seed, limits = request
        assert self._program is not None, "a bot is loaded before it plays"
        game = Game(self._variants[variant], side, seed, limits)
        self._drop(slot)
        if not self._program.is_quiet:
            seed_random(seed, 0)
        player = self._program.begin(game)
        self._slots[slot] = _Slot(player, game.variant.start(), seed, limits)
        return player.takes_clock

    def _one_move(self, data: bytes) -> None:
        """Do what `_move` does, faster, for the usual request: one game, at most one new cell."""
        _, _, nonce, seconds_left, number, length, cell = _unpack_one_move(data)
        slot = self._slots[number]
        position = slot.position.play(cell) if length else slot.position
        move = self._answer(nonce, slot, position, seconds_left)
        if move is not None:
            os.write(self._replies, _pack_one_reply(nonce, wire.DONE, 2, move))

    def _one_of_many(self, payload: bytes) -> None:
        """Take a usual request that comes together with others."""
        self._one_move(wire.frame(wire.ONE, payload))

    def _move(self, payload: bytes) -> None:
        nonce, seconds_left, count, numbers = wire.read_moves(payload)
        slots, moves, at = self._slots, [], 0
        for _ in range(count):
            slot = slots[numbers[at]]
            position = slot.position
            end = at + 2 + numbers[at + 1]
            for cell in numbers[at + 2 : end]:
                position = position.play(cell)
            at = end
            move = self._answer(nonce, slot, position, seconds_left)
            if move is None:
                return
            moves.append(move)
        self._write(wire.done_reply(nonce, moves))

    def _step(self, payload: bytes) -> None:
        """Do what `_move` does if there is one new cell in each game."""
        nonce, seconds_left, count, numbers = wire.read_moves(payload)
        slots, moves = self._slots, []
        for number, cell in zip(numbers[:count], numbers[count:], strict=True):
            slot = slots[number]
            move = self._answer(nonce, slot, slot.position.play(cell), seconds_left)
            if move is None:
                return
            moves.append(move)
        self._write(wire.done_reply(nonce, moves))

    def _answer(self, nonce: bytes, slot: _Slot, position: Position, seconds_left: float) -> int | None:
        """Return the bot's move if it is a legal one; None after replying something else."""
        try:
            seed_random(slot.seed, len(position.history))
            if slot.takes_clock:
                move = answer(slot.player, position, Clock(slot.limits.move_seconds, seconds_left))
            else:
                move = slot.move(position)
                if move.__class__ is not int:
                    move = as_number(move)
        except BotFault as fault:
            self._fault(nonce, fault)
            return None
        except BaseException as error:
            assert self._program is not None
            self._fault(nonce, BotFault(self._program.failure(error, Ending.CRASH, "")))
            return None
        try:
            slot.position = position.play(move)
        except IllegalMove:
            self._not_legal(nonce, move)
            return None
        return move

    def _not_legal(self, nonce: bytes, move: int) -> None:
        """Reply with a number that is not a legal move, so that the referee sees it."""
        is_cell = 0 <= move < 65536
        self._write(wire.done_reply(nonce, [move]) if is_cell else wire.number_reply(nonce, _digits(move)))

    def _forget(self, payload: bytes) -> None:
        for slot in list(self._slots):
            self._drop(slot)

    def _drop(self, slot: int) -> None:
        if slot in self._slots:
            self._slots.pop(slot).player.leave()

    def _fault(self, nonce: bytes, fault: BotFault) -> None:
        self._write(wire.fault_reply(nonce, *fault.failure))


def _digits(number: int) -> str:
    """Return the first digits of a number; Python refuses to write thousands of digits."""
    text = str(number) if number.bit_length() < 1000 else hex(number)
    return text[:80]
