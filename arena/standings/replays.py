"""Games that had to be played again: whose process failed more often than chance allows?

A process may end because of the machine, and then its game is played once more. That strikes every bot
alike, in proportion to the games that it plays: of all such games the number of one bot's is binomial. A bot
far out in the tail, with all bots looked at (Bonferroni), brings it about, or suits this machine ill. It is
named, and who reads the table decides. A game that was then forfeited is no second chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, lgamma, log

LEVEL = 0.01
"""How often a field in which chance alone strikes has anybody named in it, at most."""


def tail(count: int, total: int, share: float) -> float:
    """Return how likely at least `count` of `total` fall on somebody with such a share of all games."""
    if share in (0.0, 1.0):
        return float(share == 1.0 or count == 0)
    whole = lgamma(total + 1)
    return sum(
        exp(whole - lgamma(n + 1) - lgamma(total - n + 1) + n * log(share) + (total - n) * log(1 - share))
        for n in range(count, total + 1)
    )


def more_than_chance(replays: Mapping[str, int], games: Mapping[str, int]) -> list[str]:
    """Return the bots whose games were played again more often than chance allows, most often first."""
    known = {bot: count for bot, count in replays.items() if games.get(bot) and count}
    total, sides = sum(known.values()), sum(games.values())
    named = [
        bot for bot, count in known.items() if tail(count, total, games[bot] / sides) * len(games) < LEVEL
    ]
    return sorted(named, key=lambda bot: (-replays[bot], bot))
