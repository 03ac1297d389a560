"""Ladder: plays where ratings are least certain, until all are certain enough.

In every round the bots whose interval is still too wide choose an opponent, the least certain bot first. They
take the opponent whose meeting tells most (the most Fisher information): p(1-p) of the two, times the sum of
their variances, less the more often they have met. Each bot is in at most one meeting a round, and a meeting
is one sheet. Two bots never meet on more sheets than in a round robin, so a ladder plays at most as much, and
ends. A bot that has lost, or won, many whole meetings in a row is left alone: more of the same would not make
its interval narrower.

An interval is that of the distance to the field's mean, so a bot stays uncertain while it has met only its
neighbours. And because two bots that have met often tell less, every bot goes on to others. So the games that
a bot needs depend on the interval that is asked for, and hardly on the size of the field.

Refused: looking at every two bots. With growing distance in rating p(1-p) only falls, and no bot left is less
certain than the bot itself, so the search stops where no opponent can be better than the best one found.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import cosh
from typing import NamedTuple

from arena.formats.lots import lot
from arena.formats.meeting import Format, Meeting, Pairing, Rating, Settings
from arena.standings.scale import MEAN, POINTS

ENOUGH = 12
"""A bot that has lost, or won, all games of this many meetings is left alone."""

UNKNOWN = Rating(MEAN, MEAN - 1000, MEAN + 1000)
"""What is known of a bot that has no rating yet."""


class _Rung(NamedTuple):
    """A bot's place on the ladder; rungs are ordered by rating, then by lot."""

    rating: float
    lot: bytes
    bot: str
    width: float


def next_round(
    field: Sequence[str],
    rounds: Sequence[Sequence[Meeting]],
    ratings: Mapping[str, Rating],
    settings: Settings,
) -> list[Pairing]:
    """Return a sheet for each bot that is not certain enough and finds an opponent; nothing if it is over."""
    met, settled = _met(rounds), _find_settled(rounds)
    rungs = sorted(_rung(bot, ratings.get(bot, UNKNOWN), settings.seed) for bot in field)
    uncertain = [rung for rung in rungs if rung.width > settings.interval_points and rung.bot not in settled]
    pairings = []
    for rung in sorted(uncertain, key=lambda rung: (-rung.width, rung.lot)):
        place = bisect_left(rungs, rung)
        if place < len(rungs) and rungs[place] == rung:
            best = _most_telling(rungs, place, met[rung.bot], settings.sheets)
            if best is not None:
                other = rungs[best].bot
                pairings.append(Pairing(rung.bot, other, met[rung.bot].get(other, 0), 1))
                del rungs[max(place, best)], rungs[min(place, best)]
    return pairings


def _met(rounds: Sequence[Sequence[Meeting]]) -> defaultdict[str, dict[str, int]]:
    """Return on how many sheets each bot has met which others."""
    met: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for meetings in rounds:
        for one, other, _, sheets, *_ in meetings:
            met[one][other] = met[other][one] = met[one].get(other, 0) + sheets
    return met


def _find_settled(rounds: Sequence[Sequence[Meeting]]) -> set[str]:
    """Return the bots that have lost every game of many meetings, or won every one."""
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for meetings in rounds:
        for one, other, _, _, score, _ in meetings:
            scores[one].append(score)
            scores[other].append(1 - score)
    return {bot for bot, some in scores.items() if len(some) >= ENOUGH and set(some) in ({0.0}, {1.0})}


def _rung(bot: str, rating: Rating, seed: int) -> _Rung:
    return _Rung(rating.rating, lot(seed, bot), bot, rating.high - rating.low)


def _most_telling(rungs: Sequence[_Rung], place: int, met: Mapping[str, int], sheets: int) -> int | None:
    """Return the place of the best opponent for the bot at a place, which is the least certain of all."""
    own = rungs[place].width ** 2
    best, most = None, 0.0
    for other, gap in _outwards(rungs, place):
        chances = 1 / (2 + 2 * cosh(gap / POINTS))
        if chances * 2 * own <= most:
            break
        times = met.get(rungs[other].bot, 0)
        value = chances * (own + rungs[other].width ** 2) / (1 + times)
        if times < sheets and value > most:
            best, most = other, value
    return best


def _outwards(rungs: Sequence[_Rung], place: int) -> Iterator[tuple[int, float]]:
    """Yield all other places, with the difference in rating, from the nearest to the furthest."""
    rating = rungs[place].rating
    below, above = place - 1, place + 1
    while below >= 0 or above < len(rungs):
        down = rating - rungs[below].rating if below >= 0 else float("inf")
        up = rungs[above].rating - rating if above < len(rungs) else float("inf")
        if down <= up:
            yield below, down
            below -= 1
        else:
            yield above, up
            above += 1


def say_not_reached(settings: Settings, ratings: Mapping[str, Rating]) -> list[str]:
    """Return a sentence if some intervals are wider than was asked for at the end."""
    widths = {bot: rating.high - rating.low for bot, rating in sorted(ratings.items())}
    wide = [f"{bot} ({width:,.0f})" for bot, width in widths.items() if width > settings.interval_points]
    why = "they have met everybody on all openings, or lost or won everything"
    return [f"not within {settings.interval_points:g} points: {', '.join(wide)}; {why}"] if wide else []


FORMAT = Format(
    next_round,
    is_by_results=True,
    takes_ratings=True,
    keys=("interval_points",),
    is_by_sheet=True,
    notes=say_not_reached,
)
