"""The games of the page in few bytes: JSON, deflated, in base64. The page's script unpacks them on demand.

Games stand in columns, which deflate better than rows, and in the order of their moves, so that those that
begin alike are neighbours. Numbers stand for the names of bots, variants and endings. What is seen of times
are two digits, and no more are kept.

Refused: a format of our own in bits. It saves a fifth, and nobody could read it without our script.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from arena.plaintext import for_lines, for_terminal
from arena.referee.endings import Ending
from arena.referee.row import GameRow

ENDINGS = [ending.value for ending in Ending]

LEVEL = 7
"""How hard to press: 9 takes three times as long, and saves half a per cent."""


def pack(
    games: Sequence[GameRow],
    variants: Mapping[str, Mapping[str, Any]],
    verdicts: Sequence[str],
    thrown: Mapping[str, int],
    printed: Mapping[str, str],
) -> str:
    """Return games with the verdicts of each as text; `variants` are what is told of each, by name.

    `printed` is what bots printed, by game; it may be empty.
    """
    bots = sorted({bot for game in games for bot in (game.first, game.second)})
    numbers = {bot: number for number, bot in enumerate(bots)}
    names = {name: number for number, name in enumerate(variants)}
    columns = {
        "game": [game.game for game in games],
        "variant": [names[game.variant] for game in games],
        "opening": [game.opening for game in games],
        "first": [numbers[game.first] for game in games],
        "second": [numbers[game.second] for game in games],
        "winner": [game.winning_side for game in games],
        "ending": [ENDINGS.index(game.ending) for game in games],
        "openingPlies": [game.opening_plies for game in games],
        "thrown": [thrown.get(game.game, 0) for game in games],
        "firstCpu": [_microseconds(game.first_cpu_seconds) for game in games],
        "secondCpu": [_microseconds(game.second_cpu_seconds) for game in games],
        "moves": [game.moves for game in games],
        "verdicts": list(verdicts),
    }
    whole = {
        "bots": list(map(for_terminal, bots)),
        "variants": list(variants.values()),
        "endings": ENDINGS,
        "games": columns,
        "details": {game.game: for_terminal(game.detail) for game in games if game.detail},
        "printed": {game.game: for_lines(printed[game.game]) for game in games if game.game in printed},
    }
    return deflate(json.dumps(whole, separators=(",", ":")))


def deflate(text: str) -> str:
    """Return a text as base64 of raw deflate."""
    packer = zlib.compressobj(LEVEL, wbits=-15)
    return b64encode(packer.compress(text.encode()) + packer.flush()).decode()


def _microseconds(seconds: float) -> int:
    """Return a time with two digits that count."""
    return int(float(f"{seconds * 1e6:.2g}"))
