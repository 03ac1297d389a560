"""Games that had to be played again: whose process failed more often than chance allows?

A process may end because of the machine, and then its game is played once more. That strikes every bot
alike, in proportion to the games that it plays: of all such games the number of one bot's is binomial. A bot
far out in the tail, with all bots looked at (Bonferroni), brings it about, or suits this machine ill. It is
named, and who reads the table decides. A game that was then forfeited is no second chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

LEVEL = 0.01
"""How often a field in which chance alone strikes has anybody named in it, at most."""


def tail(count: int, total: int, share: float) -> float:
    """Return how likely at least `count` of `total` fall on somebody with such a share of all games."""
    return sum(comb(total, n) * share**n * (1 - share) ** (total - n) for n in range(count, total + 1))


def more_than_chance(replays: Mapping[str, int], games: Mapping[str, int]) -> list[str]:
    """Return the bots whose games were played again more often than chance allows, most often first."""
    total, sides = sum(replays.values()), sum(games.values())
    named = [
        bot
        for bot, count in replays.items()
        if count and tail(count, total, games.get(bot, 0) / sides) * len(games) < LEVEL
    ]
    return sorted(named, key=lambda bot: (-replays[bot], bot))
