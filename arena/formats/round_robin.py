"""Round robin: every two bots meet.

Pairings come in the order of the circle method (Berger tables): in each turn every bot meets one other. So a
run that is stopped early has played about as many games of every bot, and its table is fair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.formats.meeting import Format, Meeting, Pairing, Rating, Settings


def next_round(
    field: Sequence[str],
    rounds: Sequence[Sequence[Meeting]],
    ratings: Mapping[str, Rating],
    settings: Settings,
) -> list[Pairing]:
    """Return every two bots of a field once; after that it is over."""
    if rounds:
        return []
    return [Pairing(one, other, 0, settings.sheets) for one, other in every_two(sorted(field))]


def every_two(field: Sequence[str]) -> list[tuple[str, str]]:
    """Return every two bots of a field once, in turns in which each meets one other."""
    seats: list[str | None] = [*field] if len(field) % 2 == 0 else [*field, None]  # None: sits out
    pairs = []
    for _ in range(len(seats) - 1):
        opposite = reversed(seats[len(seats) // 2 :])
        for one, other in zip(seats[: len(seats) // 2], opposite, strict=True):
            if one is not None and other is not None:
                pairs.append((one, other))
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return pairs


FORMAT = Format(next_round, who="every two", is_by_field=True)
