"""The bytes between a host and the runner in a bot's process: two pipes, one frame at a time.

Requests come from us, and the runner trusts them. Replies come from a stranger's process: they have one
shape, a limited length, and the nonce of their request, and the host reads them with `struct` alone. Extra
bytes, an early answer or a wrong nonce are garbage. Cells and slots are 16 bits wide.

    request   length (4), kind (1), payload            reply   nonce (8), kind (1), length (4), payload
"""

from __future__ import annotations

import pickle
import struct
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from arena.game import Variant
from arena.referee.endings import Ending
from arena.referee.game import Limits

REQUEST = struct.Struct("<IB")
LOAD, VARIANT, GAME, MOVE, ONE, FORGET, GAMES, STEP = range(8)

REPLY = struct.Struct("<8sBI")
DONE, NUMBER, FAULT = range(3)

MOST_REPLY = 16 * 1024
"""The most bytes of a reply's payload; a longer one is garbage."""

GAME_HEAD = struct.Struct("<8sHHBQdddI?")
GAMES_HEAD = struct.Struct("<8sdddI?H")
OF_GAMES = struct.Struct("<HHBQ")
MOVE_HEAD = struct.Struct("<8sdH")
CELL = struct.Struct("<H")

# The usual request and reply, with one game and at most one new cell, have their own format for speed.
ONE_MOVE = struct.Struct("<IB8sdHHH")
ONE_MOVE_BYTES = ONE_MOVE.size - REQUEST.size
ONE_REPLY = struct.Struct("<8sBIH")

SHORT = 470
"""Bytes to read if few are expected: as many as Python allocates by itself; 4,096 would cost 0.2 µs more."""

ENDINGS = tuple(Ending)


class GameRequest(NamedTuple):
    """A game that begins: the slot in which the runner keeps it, and what the bot is told."""

    nonce: bytes
    slot: int
    variant: int
    side: int
    seed: int
    limits: Limits


def frame(kind: int, payload: bytes) -> bytes:
    """Return a request of any kind."""
    return REQUEST.pack(len(payload), kind) + payload


def game_frame(request: GameRequest) -> bytes:
    """Return the request that begins a game."""
    nonce, slot, variant, side, seed, limits = request
    return frame(GAME, GAME_HEAD.pack(nonce, slot, variant, side, seed, *limits))


def games_frame(nonce: bytes, limits: Limits, games: list[tuple[int, int, int, int]]) -> bytes:
    """Return the request that begins many games with the same limits.

    A game is its slot, its variant's number, the side and the seed.
    """
    head = GAMES_HEAD.pack(nonce, *limits, len(games))
    return frame(GAMES, head + b"".join([OF_GAMES.pack(*game) for game in games]))


@lru_cache(256)
def pickle_variant(variant: Variant) -> bytes:
    """Return a variant as it is sent; a rule book has always the same bytes, so that a runner knows it."""
    return pickle.dumps(variant, pickle.HIGHEST_PROTOCOL)


def variant_frame(number: int, variant: Variant) -> bytes:
    """Return the request that gives a runner a variant and its number."""
    return frame(VARIANT, CELL.pack(number) + pickle_variant(variant))


def read_game(payload: bytes) -> GameRequest:
    """Return what `game_frame` wrote."""
    nonce, slot, variant, side, seed, *limits = GAME_HEAD.unpack(payload)
    return GameRequest(nonce, slot, variant, side, seed, Limits(*limits))


def read_games(payload: bytes) -> tuple[bytes, list[GameRequest]]:
    """Return what `games_frame` wrote: the nonce, and each game with its slot."""
    nonce, *values, _ = GAMES_HEAD.unpack_from(payload)
    limits = Limits(*values)
    games = OF_GAMES.iter_unpack(payload[GAMES_HEAD.size :])
    return nonce, [GameRequest(nonce, slot, n, side, seed, limits) for slot, n, side, seed in games]


def one_move_frame(nonce: bytes, seconds_left: float, slot: int, new: tuple[int, ...]) -> bytes:
    """Return the usual request, for one game with one new cell or none."""
    cell = new[0] if new else 0
    return ONE_MOVE.pack(ONE_MOVE_BYTES, ONE, nonce, seconds_left, slot, len(new), cell)


def move_frame(nonce: bytes, seconds_left: float, games: list[tuple[int, tuple[int, ...]]]) -> bytes:
    """Return the request for a move in each game: its slot, and the cells claimed since the last request.

    Mostly there is one new cell in each game: then all slots come first, and then all cells.
    """
    slots, cells = zip(*games, strict=True)
    if set(map(len, cells)) == {1}:
        head = MOVE_HEAD.pack(nonce, seconds_left, len(games))
        return frame(STEP, head + struct.pack(f"<{2 * len(games)}H", *slots, *chain.from_iterable(cells)))
    numbers = [number for slot, cells in games for number in (slot, len(cells), *cells)]
    head = MOVE_HEAD.pack(nonce, seconds_left, len(games))
    return frame(MOVE, head + struct.pack(f"<{len(numbers)}H", *numbers))


def read_moves(payload: bytes) -> tuple[bytes, float, int, tuple[int, ...]]:
    """Return what `move_frame` wrote: nonce, seconds, how many games, and slot, length and cells of each.

    In a `STEP` all slots and then all cells.
    """
    numbers = struct.unpack_from(f"<{(len(payload) - MOVE_HEAD.size) // 2}H", payload, MOVE_HEAD.size)
    return *MOVE_HEAD.unpack_from(payload), numbers


def done_reply(nonce: bytes, moves: list[int]) -> bytes:
    """Return the reply of a runner that did what it was asked: the moves, or none."""
    return REPLY.pack(nonce, DONE, 2 * len(moves)) + struct.pack(f"<{len(moves)}H", *moves)


def number_reply(nonce: bytes, text: str) -> bytes:
    """Return the reply that is a number, but not one that could be a cell."""
    data = text.encode()[:200]
    return REPLY.pack(nonce, NUMBER, len(data)) + data


def fault_reply(nonce: bytes, ending: Ending, detail: str, evidence: str) -> bytes:
    """Return the reply of a bot whose code failed."""
    data = detail.encode(errors="replace")[:1000]
    more = evidence.encode(errors="replace")[-8000:]
    return (
        REPLY.pack(nonce, FAULT, 3 + len(data) + len(more))
        + struct.pack("<BH", ENDINGS.index(ending), len(data))
        + data
        + more
    )


def is_whole(found: bytes) -> bool:
    """Return whether a reply is complete, or is longer than any reply may be."""
    return len(found) >= 13 and len(found) >= 13 + min(REPLY.unpack_from(found)[2], MOST_REPLY)


def read_fault(payload: bytes) -> tuple[Ending, str, str] | None:
    """Return what `fault_reply` wrote, or None for bytes that it did not write."""
    if len(payload) < 3:
        return None
    code, length = struct.unpack_from("<BH", payload)
    if code >= len(ENDINGS) or not ENDINGS[code].is_forfeit or 3 + length > len(payload):
        return None
    detail, evidence = payload[3 : 3 + length], payload[3 + length :]
    return ENDINGS[code], detail.decode(errors="replace"), evidence.decode(errors="replace")
