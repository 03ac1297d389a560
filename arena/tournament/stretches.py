"""Stretches of the plan: games that are played within seconds are put together by pairing.

The plan goes round the pairings, a few games of each at a time, so that a run which is stopped early leaves a
balanced table. But every unit starts two processes, which costs as much as a hundred games of bots that
answer at once. So what is played within seconds anyway is handed out pairing by pairing: the table is out of
balance for no longer than that. Bots that think are played in the order of the plan.

How long games take is estimated from the pre-flight, in which every bot was asked on every variant. Refused:
measuring while games are played. The first games say little about those of other bots, and a run would go
another way each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from arena.log.reading import PlannedGame

STRETCH_SECONDS = 10.0
"""So much play of one worker may be put together."""

Stretch = dict[frozenset[str], list[PlannedGame]]
"""Games of the plan by pairing."""


def stretches(games: Iterable[PlannedGame], seconds: Callable[[PlannedGame], float]) -> Iterator[Stretch]:
    """Yield games of the plan by pairing; `seconds` estimates how long one takes.

    A stretch ends between two pairings. So one of bots that think is what the plan has of a pairing in a row.
    """
    stretch: Stretch = {}
    left = STRETCH_SECONDS
    for pairing, some in groupby(games, key=lambda game: frozenset((game.first, game.second))):
        if left <= 0:
            yield stretch
            stretch, left = {}, STRETCH_SECONDS
        of_pairing = list(some)
        stretch.setdefault(pairing, []).extend(of_pairing)
        left -= sum(map(seconds, of_pairing))
    if stretch:
        yield stretch
