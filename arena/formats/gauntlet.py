"""Gauntlet: each of a few named bots meets each bot that is not named.

Pairings go round both sides at once. So a run that is stopped early has played about as many games of every
named bot, and about as many of every other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm

from arena.formats.meeting import Format, Meeting, Pairing, Rating, Settings


def next_round(
    field: Sequence[str],
    rounds: Sequence[Sequence[Meeting]],
    ratings: Mapping[str, Rating],
    settings: Settings,
) -> list[Pairing]:
    """Return each named bot of a field with each other one, once; after that it is over."""
    if rounds:
        return []
    named = sorted(set(field).intersection(settings.gauntlet))
    others = sorted(set(field).difference(settings.gauntlet))
    return [Pairing(one, other, 0, settings.sheets) for one, other in cross(named, others)]


def cross(named: Sequence[str], others: Sequence[str]) -> list[tuple[str, str]]:
    """Return each of the named with each of the others once; a prefix has all of a side about equally often.

    Stepping through both sides together repeats a pair after their least common multiple. From there the
    others are shifted by one, which gives only new pairs.
    """
    if not named or not others:
        return []
    again = lcm(len(named), len(others))
    steps = range(len(named) * len(others))
    return [(named[step % len(named)], others[(step + step // again) % len(others)]) for step in steps]


FORMAT = Format(next_round, keys=("gauntlet",))
