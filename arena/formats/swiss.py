"""Swiss system: bots with equal points meet, round after round, and no two meet twice.

A meeting won gives one point, a drawn one half a point, and sitting out (a bye) one point. The table is
ordered by points, then by rating, then by lot. From the top, bots with equal points form a group, in which
the upper half meets the lower half. If a group is odd, its last bot floats down to the next group; a bot that
has just floated is spared while there is another. Bots that find no opponent in their group (they have met
all) also float down. What is left at the end is repaired from the bottom of the table up, by matching. If a
complete pairing exists, one is found.

Byes: in an odd field one bot sits out. It must leave a complete pairing of the rest. Of those bots it is one
with the fewest byes, and of these the last in the table. So nobody sits out twice before everyone who can has
sat out once. A bot that has just come does not sit out if another can.

Nothing is remembered between rounds. A bot that is missing from a round after its first one sat out there. A
bot of the first field (`settings.drawn`) that nobody has met yet sat out from the beginning. Any other bot is
new: it has half a point for each round before it came, so that it meets bots in the middle, whose strength is
known. An edited bot is new as well.

It is over after ceil(log2 n) + 1 rounds or as many as are set, but at most when everyone has met everyone,
and as soon as there is no pairing without a repeat; n / 2 rounds can always be played (Dirac's theorem).
Refused: pairing by rating alone, which gives slightly better ratings, but is not a Swiss system.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from typing import NamedTuple

from arena.formats.lots import lot
from arena.formats.matching import complete, releasable, release
from arena.formats.meeting import Format, Meeting, Pairing, Rating, Settings, name_of
from arena.standings.scale import MEAN


class _Row(NamedTuple):
    """A bot in the table."""

    bot: str
    points: float
    byes: int
    is_new: bool
    is_spared: bool  # floated down in the last round


def next_round(
    field: Sequence[str],
    rounds: Sequence[Sequence[Meeting]],
    ratings: Mapping[str, Rating],
    settings: Settings,
) -> list[Pairing]:
    """Return the next round's pairings, the top of the table first; nothing if it is over."""
    if len(field) < 2 or len(rounds) >= rounds_of(len(field), settings.rounds):
        return []
    history = _History(rounds, settings.drawn)
    floated = history.find_floated(rounds[-1]) if rounds else ()
    table = _table(field, history, floated, ratings, settings.seed)
    mate = _pairing(table, _met(table, history))
    pairs = [(one, other) for one, other in sorted(mate.items()) if one < other]
    return [Pairing(table[one].bot, table[other].bot, 0, settings.sheets) for one, other in pairs]


def points(
    field: Sequence[str], rounds: Sequence[Sequence[Meeting]], drawn: Collection[str]
) -> dict[str, float]:
    """Return the points of each bot after some rounds; `drawn` is the field of the first."""
    history = _History(rounds, drawn)
    return {bot: history.points(bot) for bot in field}


def rounds_of(size: int, wanted: int | None = None) -> int:
    """Return how many rounds a field of some size plays."""
    most = size - 1 if size % 2 == 0 else size
    return min(most, (size - 1).bit_length() + 1 if wanted is None else wanted)


class _History:
    """Whom everyone who ever played has met, with the points."""

    def __init__(self, rounds: Sequence[Sequence[Meeting]], drawn: Collection[str]) -> None:
        self.met: defaultdict[str, list[str]] = defaultdict(list)
        self._won: defaultdict[str, float] = defaultdict(float)
        self._since: dict[str, int] = {}  # the first round that a bot could have played in
        self._rounds = len(rounds)
        for number, meetings in enumerate(rounds):
            self._add(number, meetings)
        edited = {name_of(bot) for bot in self.met if "@" in bot}
        self._since |= dict.fromkeys(set(drawn) - edited, 0)

    def _add(self, number: int, meetings: Sequence[Meeting]) -> None:
        met, won, since = self.met, self._won, self._since
        for one, other, _, _, score, _ in meetings:
            points = points_of(score)
            met[one].append(other)
            met[other].append(one)
            won[one] += points
            won[other] += 1 - points
            if one not in since:
                since[one] = number
            if other not in since:
                since[other] = number

    def is_new(self, bot: str) -> bool:
        return bot not in self._since

    def byes(self, bot: str) -> int:
        return self._rounds - self._since.get(bot, self._rounds) - len(self.met.get(bot, ()))

    def points(self, bot: str) -> float:
        missed = self._since.get(bot, self._rounds)
        return self._won.get(bot, 0.0) + self.byes(bot) + missed / 2

    def find_floated(self, meetings: Sequence[Meeting]) -> set[str]:
        """Return who met a bot with fewer points, in the last round."""
        floated = set()
        for one, other, _, _, score, _ in meetings:
            points = points_of(score)
            gap = (self.points(one) - points) - (self.points(other) - (1 - points))
            if gap:
                floated.add(one if gap > 0 else other)
        return floated


def points_of(score: float) -> float:
    """Return the points for a share of the games won."""
    return 0.5 if score == 0.5 else float(score > 0.5)


def _table(
    field: Sequence[str],
    history: _History,
    floated: Collection[str],
    ratings: Mapping[str, Rating],
    seed: int,
) -> list[_Row]:
    """Return the bots in order."""
    rows = [
        _Row(bot, history.points(bot), history.byes(bot), history.is_new(bot), bot in floated)
        for bot in field
    ]

    def place(row: _Row) -> tuple[float, float, bytes]:
        rating = ratings[row.bot].rating if row.bot in ratings else MEAN
        return -row.points, -rating, lot(seed, row.bot)

    return sorted(rows, key=place)


def _met(table: Sequence[_Row], history: _History) -> list[set[int]]:
    """Return whom each bot may not meet, itself among them, as places in the table."""
    place = {row.bot: number for number, row in enumerate(table)}
    bots = [(*history.met.get(row.bot, ()), row.bot) for row in table]
    return [{place[bot] for bot in met if bot in place} for met in bots]


def _pairing(table: Sequence[_Row], met: Sequence[AbstractSet[int]]) -> dict[int, int]:
    """Return everyone's mate, except one in an odd field; an empty dict if there is no such pairing."""
    everyone = range(len(table) - 1, -1, -1)  # from the bottom, where changes harm least
    in_line = sorted(everyone, key=lambda bot: (table[bot].is_new, table[bot].byes))
    sitting_out = in_line[: len(table) % 2]
    playing = [bot for bot in everyone if bot not in sitting_out]
    mate = _by_groups(table, playing[::-1], met)
    free = complete(playing, met, mate)
    if free and sitting_out:
        free = complete(everyone, met, mate)
        if len(free) == 1:
            could = releasable(free[0], everyone, met, mate)
            release(next(bot for bot in in_line if bot in could), free[0], everyone, met, mate)
            return mate
    return {} if free else mate


def _by_groups(
    table: Sequence[_Row], playing: Sequence[int], met: Sequence[AbstractSet[int]]
) -> dict[int, int]:
    """Return mates found from the top down among bots with equal points."""
    mate: dict[int, int] = {}
    floating: list[int] = []
    for _, members in groupby(playing, lambda bot: table[bot].points):
        group = [*floating, *members]
        floating = []
        if len(group) % 2:
            last = next((bot for bot in reversed(group) if not table[bot].is_spared), group[-1])
            group.remove(last)
            floating = [last]
        found = _halves(group, met)
        floating = sorted(floating + complete(group[::-1], met, found))
        mate |= found
    return mate


def _halves(group: Sequence[int], met: Sequence[AbstractSet[int]]) -> dict[int, int]:
    """Return mates for the upper half of a group: each gets the first of the lower half that it may meet."""
    mate: dict[int, int] = {}
    lower = list(group[len(group) // 2 :])
    for one in group[: len(group) // 2]:
        place = next((place for place, other in enumerate(lower) if other not in met[one]), None)
        if place is not None:
            mate[one] = lower.pop(place)
            mate[mate[one]] = one
    return mate


FORMAT = Format(
    next_round, is_by_results=True, takes_ratings=True, keys=("rounds",), too_late="more `rounds` let it play"
)
