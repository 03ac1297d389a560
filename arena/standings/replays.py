"""Games that had to be played again: whose process failed more often than chance explains? A binomial test.

A process may end because of the machine, and then its game is played again. That hits every bot in proportion
to its games, so one bot's share of all such games is binomial. A bot far out in the tail, with all bots
tested (Bonferroni correction), causes it, or does not suit this machine. It is named, and the reader of the
table decides. A game that was then forfeited is not a second chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, lgamma, log

LEVEL = 0.01
"""The most often that any bot of a field is named by chance alone (family-wise error rate)."""


def tail(count: int, total: int, share: float) -> float:
    """Return the probability that at least `count` of `total` fall on a bot with this share of all games."""
    if share in (0.0, 1.0):
        return float(share == 1.0 or count == 0)
    whole = lgamma(total + 1)
    return sum(
        exp(whole - lgamma(n + 1) - lgamma(total - n + 1) + n * log(share) + (total - n) * log(1 - share))
        for n in range(count, total + 1)
    )


def more_than_chance(replays: Mapping[str, int], games: Mapping[str, int]) -> list[str]:
    """Return the bots whose games were played again more often than chance explains, most often first."""
    known = {bot: count for bot, count in replays.items() if games.get(bot) and count}
    total, sides = sum(known.values()), sum(games.values())
    named = [
        bot for bot, count in known.items() if tail(count, total, games[bot] / sides) * len(games) < LEVEL
    ]
    return sorted(named, key=lambda bot: (-replays[bot], bot))
