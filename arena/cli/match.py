"""Who moves first in `arena play`: Player 1, or who is chosen where the rule book leaves it open."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from arena.errors import UserError
from arena.game import Variant


class Start(StrEnum):
    """Who moves first."""

    PLAYER_1 = "1"
    PLAYER_2 = "2"
    COIN = "coin"


def list_starters(variant: Variant, start: Start, names: dict[int, str]) -> Iterator[int]:
    """Yield the player who moves first in each game: tossed anew, swapped, or always Player 1."""
    if start is not Start.PLAYER_1 and not variant.book.is_start_agreed:
        raise UserError(f"--start {start}: the rule book of {variant.name} says that Player 1 moves first")
    return _toss(names) if start is Start.COIN else _swap(int(start), variant.book.is_start_agreed)


def _toss(names: dict[int, str]) -> Iterator[int]:
    import random

    while True:
        starter = random.choice((1, 2))
        print(f"The coin says: {names[starter]} moves first.\n")
        yield starter


def _swap(starter: int, is_agreed: bool) -> Iterator[int]:
    while True:
        yield starter
        starter = 3 - starter if is_agreed else starter
