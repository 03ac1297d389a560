"""Tournaments without games: formats are asked for rounds, and scores are made up."""

import random
from collections import Counter

import pytest

from arena.formats import FORMATS
from arena.formats.meeting import Meeting, Pairing, Rating, Settings

DEFAULT = Settings()

SIZES = [
    pytest.param(size, marks=[] if size < 10 or size in (16, 17, 31, 32, 40) else [pytest.mark.long])
    for size in range(41)
]
"""All sizes of a field up to forty; in short the small ones, and those about powers of two."""


def field_of(size):
    """So many bots; the first is the strongest, and the alphabet says nothing of it."""
    return [f"bot-{number * 7919 % 101:03}" for number in range(size)]


def by_strength(field, seed, games=16):
    """Scores by chance, better for bots that stand earlier in the field; sometimes exactly one half."""
    chance = random.Random(seed)
    place = {bot: number for number, bot in enumerate(field)}

    def score(pairing):
        gap = place[pairing.other] - place[pairing.one]
        odds = 1 / (1 + 10 ** (-4 * gap / len(field)))
        return sum(chance.random() < odds for _ in range(games)) / games

    return score


def ratings_of(rounds):
    """Ratings that are crude and behave: by share of points, and narrower the more sheets there are."""
    points, played = Counter(), Counter()
    for meetings in rounds:
        for one, other, _, sheets, score, _ in meetings:
            points.update({one: score * sheets, other: (1 - score) * sheets})
            played.update({one: sheets, other: sheets})
    return {bot: rating(1300 + 400 * points[bot] / played[bot], 600 / played[bot] ** 0.5) for bot in played}


def rating(middle, width):
    """A rating with an interval of some width around it."""
    return Rating(middle, middle - width / 2, middle + width / 2)


def next_round(name, field, rounds, settings) -> list[Pairing]:
    """What a format asks for, with crude ratings and the settings that a conductor would fill in."""
    if rounds and not settings.drawn:
        settings = settings._replace(drawn=tuple(field))
    return FORMATS[name].next_round(field, rounds, ratings_of(rounds), settings)


def play(name, field, score, settings=DEFAULT, most=5000):
    """All rounds of a tournament whose field stays as it is."""
    rounds = []
    while pairings := next_round(name, field, rounds, settings):
        rounds.append([Meeting(*pairing, score(pairing)) for pairing in pairings])
        assert len(rounds) < most, "it must end"
    return rounds


def meetings_of(rounds):
    """All meetings, round after round."""
    return [meeting for meetings in rounds for meeting in meetings]


def sheets_of(rounds):
    """How often every two bots met on every sheet."""
    return Counter(
        (frozenset((one, other)), sheet)
        for one, other, start, sheets, *_ in meetings_of(rounds)
        for sheet in range(start, start + sheets)
    )


def edited(rounds, bot, version=0):
    """The same rounds after a bot has been edited: what it played belongs to its old version."""

    def renamed(name):
        return f"{bot}@{version:012x}" if name == bot else name

    return [[m._replace(one=renamed(m.one), other=renamed(m.other)) for m in meetings] for meetings in rounds]
