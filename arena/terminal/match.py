"""A match in `arena play`: several games between the same two players, and who has won more of them.

The rule books offer it: "play multiple rounds", "keep track of wins". Who moves first changes from game to
game where the book leaves it to the players; where it says Player 1, it is Player 1 every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


def play_match(
    rounds: int, starters: Iterator[int], play: Callable[[int], int], names: dict[int, str]
) -> None:
    """Play games and say the tally after each; `play` takes who starts, and returns who has won."""
    wins = {1: 0, 2: 0}
    for number in range(1, rounds + 1):
        if rounds > 1:
            print("\n" * (number > 1) + f"Game {number} of {rounds}\n")
        wins[play(next(starters))] += 1
        if rounds > 1:
            print(f"\nAfter game {number} of {rounds}: {names[1]} {wins[1]}, {names[2]} {wins[2]}")
    if rounds > 1:
        print(f"\n{_verdict(wins, names)}")


def _verdict(wins: dict[int, int], names: dict[int, str]) -> str:
    if wins[1] == wins[2]:
        return f"Nobody is the overall winner: {wins[1]} to {wins[2]}."
    best, other = (1, 2) if wins[1] > wins[2] else (2, 1)
    return f"{names[best]} is the overall winner: {wins[best]} to {wins[other]}."
