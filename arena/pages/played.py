"""What the games themselves tell, read once: how long they lasted, and what CPU the fullest took."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from arena.results.run import Run


class Played(NamedTuple):
    """How many games of each variant lasted how many plies, and the most CPU seconds of a bot in one game."""

    lengths: dict[str, Counter[int]]
    fullest: dict[str, float]


def read_played(run: Run) -> Played:
    """Read all games that are shown, one by one, so that a million need no memory."""
    lengths: defaultdict[str, Counter[int]] = defaultdict(Counter)
    fullest: defaultdict[str, float] = defaultdict(float)
    with run.log() as log:
        for game in run.leave_out_hidden(log.games()):
            lengths[game.variant][game.plies] += 1
            for bot, used in ((game.first, game.first_cpu_seconds), (game.second, game.second_cpu_seconds)):
                fullest[bot] = max(fullest[bot], used)
    return Played({name: lengths[name] for name in run.variants if name in lengths}, fullest)
