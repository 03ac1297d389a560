"""Stretches of the plan: games that are played within seconds are put together by pairing.

The plan goes round the pairings, a few games of each at a time, so that a run which is stopped early leaves a
balanced table. But to start a bot costs as much as dozens of games between bots that answer at once. So what
is played within seconds anyway is handed out pairing by pairing, and pairings so that the same bots meet
several others in a row: the table is out of balance for no longer than that. In a large field it takes longer
until everybody has met somebody, and so stretches are longer too. Bots that think are played in the order of
the plan.

Where two bots have but few games in a stretch, several pairings make a unit (`bundle`): then one message to a
bot carries its games against all of them.

How long games take is estimated from the pre-flight, in which every bot was asked on every variant. Refused:
measuring while games are played. The first games say little about those of other bots, and a run would go
another way each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from itertools import groupby

from arena.log.reading import PlannedGame

STRETCH_SECONDS, SECONDS_OF_BOT, MOST_SECONDS = 10.0, 1.0, 100.0
"""So much play of one worker may be put together, at least; so much for each bot, and at most."""

BLOCK, TILE = 48, 8
"""So many bots meet as many others before anybody else: workers keep them alive. A tile of it is a unit."""

MOST_BOTS = 2 * TILE
"""In one unit, because all of them are alive at once."""

Stretch = dict[frozenset[str], list[PlannedGame]]
"""Games of the plan by pairing."""


def stretches(
    games: Iterable[PlannedGame], seconds: Callable[[PlannedGame], float], bots: int = 0
) -> Iterator[Stretch]:
    """Yield games of the plan by pairing; `seconds` estimates how long one takes, in a field of some bots.

    A stretch ends between two pairings. So one of bots that think is what the plan has of a pairing in a row.
    """
    stretch: Stretch = {}
    most = left = max(STRETCH_SECONDS, min(MOST_SECONDS, SECONDS_OF_BOT * bots))
    for pairing, some in groupby(games, key=lambda game: frozenset((game.first, game.second))):
        if left <= 0:
            yield _sort(stretch)
            stretch, left = {}, most
        of_pairing = list(some)
        stretch.setdefault(pairing, []).extend(of_pairing)
        left -= sum(map(seconds, of_pairing))
    if stretch:
        yield _sort(stretch)


def _sort(stretch: Stretch) -> Stretch:
    """Put pairings into an order in which few bots meet many: block by block, and in it tile by tile."""
    seats = {bot: seat for seat, bot in enumerate(sorted({bot for pairing in stretch for bot in pairing}))}

    def place(pairing: frozenset[str]) -> tuple[int, ...]:
        one, other = sorted(map(seats.__getitem__, pairing))
        return one // BLOCK, other // BLOCK, one // TILE, other // TILE, one, other

    return {pairing: stretch[pairing] for pairing in sorted(stretch, key=place)}


def bundle(
    stretch: Stretch, seconds: Callable[[PlannedGame], float], most_seconds: float
) -> Iterator[Stretch]:
    """Yield pairings that are played together: those of few bots that take at most so long, or one alone."""
    bundled: Stretch = {}
    bots: Set[str] = frozenset()
    left = most_seconds
    for pairing, games in stretch.items():
        taken = sum(map(seconds, games))
        if bundled and (taken > left or len(bots | pairing) > MOST_BOTS):
            yield bundled
            bundled, bots, left = {}, frozenset(), most_seconds
        bundled[pairing] = games
        bots, left = bots | pairing, left - taken
    if bundled:
        yield bundled
