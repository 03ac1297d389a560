"""Knock-out (single elimination): the loser of a meeting is out, and the last bot left has won.

The bracket is drawn once, from the field of the first round in the order of the tournament file: the first
bot is the first seed. The number of places is the next power of two; empty places are byes of the top seeds.
The first and second seed can meet only in the final, the first four only in the semi-finals, and so on.

A level is played by all, then its deciders, then the next level. If a meeting is drawn, the two meet again on
the next sheets, up to three times; then the better seed goes on. A bot that has left the field loses its next
meeting without playing; if both have left, nobody goes on. A bot that comes after the draw is not in it. An
edited bot keeps its place: names count here, not versions.

Nothing is remembered: the whole bracket is computed from all meetings each time. So meetings of a bot that
left may come up again when it comes back, but not after its opponent has met a bot of another part of the
bracket. Refused: reading the bracket from the order of the rounds, which does not show who went on without
playing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from arena.formats.meeting import Format, Meeting, Pairing, Rating, Settings, name_of

MOST_DECIDERS = 3


class Duel(NamedTuple):
    """Two places of a bracket that come together; None is nobody.

    `scores` are those of `one`, the better seed's side: of the first meeting, then of the deciders. `winner`
    is None if nobody goes on, or if it is not decided yet.
    """

    one: str | None
    other: str | None
    scores: tuple[float, ...]
    winner: str | None
    is_decided: bool


class Bracket(NamedTuple):
    """The levels of a knock-out that have been reached, first to last; there will be `depth` of them."""

    seeds: tuple[str, ...]
    levels: tuple[tuple[Duel, ...], ...]
    depth: int

    @property
    def winner(self) -> str | None:
        """Who has won; None if that is not decided, or if everybody left."""
        return self.levels[-1][0].winner if len(self.levels) == self.depth > 0 else None


def next_round(
    field: Sequence[str],
    rounds: Sequence[Sequence[Meeting]],
    ratings: Mapping[str, Rating],
    settings: Settings,
) -> list[Pairing]:
    """Return the deciders of the level that is being played, or else its meetings; nothing if it is over."""
    if len(field) < 2:
        return []
    levels = bracket(settings.drawn or field, rounds, field).levels
    undecided = [duel for duel in chain(*levels[-1:]) if not duel.is_decided]
    asked = [duel for duel in undecided if duel.scores] or undecided
    return [
        Pairing(duel.one, duel.other, settings.sheets * len(duel.scores), settings.sheets)
        for duel in asked
        if duel.one is not None and duel.other is not None
    ]


def bracket(drawn: Sequence[str], rounds: Sequence[Sequence[Meeting]], field: Collection[str]) -> Bracket:
    """Return the bracket of a drawn field as far as complete rounds, and who has left, decide it."""
    seeds = tuple(name_of(bot) for bot in drawn)
    slots = [seeds[seed] if seed < len(seeds) else None for seed in _positions(len(seeds))]
    depth = (len(slots) - 1).bit_length()
    judge = _Judge(seeds, rounds, field)
    levels: list[tuple[Duel, ...]] = []
    parts = [frozenset([slot]) for slot in slots]
    while len(parts) > 1 and all(duel.is_decided for duel in chain(*levels[-1:])):
        parts = [one | other for one, other in zip(parts[::2], parts[1::2], strict=True)]
        levels.append(tuple(map(judge.duel, slots[::2], slots[1::2], parts)))
        slots = [duel.winner for duel in levels[-1]]
    return Bracket(seeds, tuple(levels), depth)


def places(bracket: Bracket) -> dict[str, int]:
    """Return the place of every bot that was drawn: 1, 2, 3, 3, 5 ...; 1 for all that may still win."""
    found = dict.fromkeys(bracket.seeds, 1)
    for number, level in enumerate(bracket.levels):
        for duel in level:
            losers = {duel.one, duel.other} - {duel.winner, None} if duel.is_decided else ()
            found |= {bot: 2 ** (bracket.depth - 1 - number) + 1 for bot in losers if bot is not None}
    return found


def _positions(size: int) -> list[int]:
    """Return the seeds, from 0, in the order in which a bracket has them; empty places are seeds as well."""
    order = [0]
    while len(order) < size:
        order = [seed for better in order for seed in (better, 2 * len(order) - 1 - better)]
    return order


class _Judge:
    """Says who goes on, from all that was played and who is still there."""

    def __init__(
        self, seeds: Sequence[str], rounds: Sequence[Sequence[Meeting]], field: Collection[str]
    ) -> None:
        self._seed = {bot: seed for seed, bot in enumerate(seeds)}
        self._field = frozenset(field)
        self._met: defaultdict[str, set[str]] = defaultdict(set)
        self._played: defaultdict[tuple[str, str], list[tuple[int, int, float]]] = defaultdict(list)
        for number, meetings in enumerate(rounds):
            for meeting in meetings:
                self._add(number, meeting)

    def _add(self, number: int, meeting: Meeting) -> None:
        one, other = name_of(meeting.one), name_of(meeting.other)
        self._met[one].add(other)
        self._met[other].add(one)
        self._played[one, other].append((meeting.start, number, meeting.score))
        self._played[other, one].append((meeting.start, number, 1 - meeting.score))

    def duel(self, one: str | None, other: str | None, part: Collection[str | None]) -> Duel:
        """Return how two bots fared against each other; `part` is the part of the bracket that ends here."""
        if one is None or other is None:
            return Duel(one, other, (), other if one is None else one, True)
        scores = self._scores(one, other)
        if scores and scores[-1] != 0.5:
            return Duel(one, other, scores, one if scores[-1] > 0.5 else other, True)
        if len(scores) > MOST_DECIDERS:
            return Duel(one, other, scores, min(one, other, key=self._seed.__getitem__), True)
        # A bot that has met one from outside has gone on; if neither has, the one that is still here does.
        ahead = [bot for bot in (one, other) if not self._met[bot].issubset(part)]
        there = ahead or [bot for bot in (one, other) if bot in self._field]
        return Duel(one, other, scores, there[0] if len(there) == 1 else None, len(there) < 2)

    def _scores(self, one: str, other: str) -> tuple[float, ...]:
        """Return the scores of a meeting and its deciders, up to the one that decides."""
        found = [score for _, _, score in sorted(self._played[one, other])][: MOST_DECIDERS + 1]
        decisive = [number for number, score in enumerate(found) if score != 0.5]
        return tuple(found[: decisive[0] + 1] if decisive else found)


FORMAT = Format(
    next_round, is_by_results=True, has_bracket=True, too_late="another `name` draws a new bracket"
)
