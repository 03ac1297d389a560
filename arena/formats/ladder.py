"""Ladder: plays where ratings are least certain, until all are certain enough.

In every round the bots whose interval is still too wide choose an opponent, the least certain bot first. They
take the opponent whose meeting tells most (the most Fisher information): p(1-p) of the two, times the sum of
their variances, less the more often they have met. Each bot is in at most one meeting a round, and a meeting
is one sheet. Two bots never meet on more sheets than in a round robin, so a ladder plays at most as much, and
ends. A bot that has lost, or won, many whole meetings in a row is left alone: more of the same would not make
its interval narrower.

In every second round all ratings count as unknown, so that opponents are drawn by lot from those met least.
If bots met only those that look equal, those that were lucky at first would meet each other, and nothing
would show that all of them were: ratings drift apart, and the 95 % intervals of 200 bots held the truth in 73
% of cases.

Each round is played on the next sheet; two bots that have met on it take the next one that is new to them. So
a bot soon has many openings. It repeats its strengths on an opening against everybody: a few openings make
its interval wide however much it plays there, and one alone does not even show that. On the first sheet alone
the intervals of 200 bots that are uneven by 75 points held the truth in 45 % of cases.

With both, intervals of 30, 100 and 200 bots hold it in 93 % to 95 % of cases when a ladder has ended, uneven
or not (the first two by `python -m benchmarks.coverage`). It plays 3 % to 17 % more games where bots are
even, and a third of them where 30 bots are uneven by 150 points.

A folder that an older arena began goes on as it was begun: without lots, and every two bots from their own
first sheet on.

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


OLDER = (
    "this ladder goes on as an older arena began it: in a field of 60 bots or more its 95 % intervals may "
    "hold the truth in only half of the cases; a new `name` plays by the rule that mends this"
)
"""What the intervals lack where nothing was drawn by lot and first meetings were all on one sheet."""


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
    widths = {bot: _width(ratings.get(bot, UNKNOWN)) for bot in field}
    rungs = _rungs(field, len(rounds), ratings, settings)
    rung_of = {rung.bot: rung for rung in rungs}
    uncertain = [bot for bot in field if widths[bot] > settings.interval_points and bot not in settled]
    pairings = []
    for bot in sorted(uncertain, key=lambda bot: (-widths[bot], rung_of[bot].lot)):
        place = bisect_left(rungs, rung_of[bot])
        if place < len(rungs) and rungs[place].bot == bot:
            best = _most_telling(rungs, place, met[bot], settings.sheets)
            if best is not None:
                other = rungs[best].bot
                sheet = _next_sheet(met[bot].get(other, 0), len(rounds), settings)
                pairings.append(Pairing(bot, other, sheet, 1))
                del rungs[max(place, best)], rungs[min(place, best)]
    return pairings


def _met(rounds: Sequence[Sequence[Meeting]]) -> defaultdict[str, dict[str, int]]:
    """Return on which sheets each bot has met which others, as an int with a bit for each sheet."""
    met: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for meetings in rounds:
        for one, other, start, sheets, *_ in meetings:
            new = (1 << sheets) - 1 << start
            met[one][other] = met[other][one] = met[one].get(other, 0) | new
    return met


def _next_sheet(met: int, number: int, settings: Settings) -> int:
    """Return the first sheet, from that of the round on, on which two bots have not met."""
    start = 0 if settings.is_older else number % settings.sheets
    in_turn = ((start + step) % settings.sheets for step in range(settings.sheets))
    return next(sheet for sheet in in_turn if not met >> sheet & 1)


def _find_settled(rounds: Sequence[Sequence[Meeting]]) -> set[str]:
    """Return the bots that have lost every game of many meetings, or won every one."""
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for meetings in rounds:
        for one, other, _, _, score, _ in meetings:
            scores[one].append(score)
            scores[other].append(1 - score)
    return {bot for bot, some in scores.items() if len(some) >= ENOUGH and set(some) in ({0.0}, {1.0})}


def _rungs(
    field: Sequence[str], number: int, ratings: Mapping[str, Rating], settings: Settings
) -> list[_Rung]:
    """Return the bots in order; in every second round by lot alone, as if nothing were known of them."""
    is_by_lot = number % 2 == 1 and not settings.is_older
    known = {} if is_by_lot else ratings
    drawn = {bot: lot(settings.seed, f"{number} {bot}" if is_by_lot else bot) for bot in field}
    some = ((bot, known.get(bot, UNKNOWN)) for bot in field)
    return sorted(_Rung(rating.rating, drawn[bot], bot, _width(rating)) for bot, rating in some)


def _width(rating: Rating) -> float:
    return rating.high - rating.low


def _most_telling(rungs: Sequence[_Rung], place: int, met: Mapping[str, int], sheets: int) -> int | None:
    """Return the place of the best opponent for the bot at a place, which is the least certain of all.

    `met` are the sheets on which it has met others.
    """
    own = rungs[place].width ** 2
    best, most = None, 0.0
    for other, gap in _outwards(rungs, place):
        chances = 1 / (2 + 2 * cosh(gap / POINTS))
        if chances * 2 * own <= most:
            break
        times = met.get(rungs[other].bot, 0).bit_count()
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


def say_what_lacks(settings: Settings, ratings: Mapping[str, Rating]) -> list[str]:
    """Return a sentence if intervals are wider than was asked for, and one if they cannot be relied on."""
    widths = {bot: _width(rating) for bot, rating in sorted(ratings.items())}
    wide = [f"{bot} ({width:,.0f})" for bot, width in widths.items() if width > settings.interval_points]
    why = "they have met everybody on all openings, or lost or won everything"
    notes = [f"not within {settings.interval_points:g} points: {', '.join(wide)}; {why}"] if wide else []
    return [*notes, OLDER] if settings.is_older else notes


def keep_interval(settings: Settings) -> dict[str, float]:
    """Return how narrow intervals are to be, for the log."""
    return {"interval_points": settings.interval_points}


FORMAT = Format(
    next_round,
    is_by_results=True,
    takes_ratings=True,
    keys=("interval_points",),
    is_by_sheet=True,
    notes=say_what_lacks,
    kept=keep_interval,
)
