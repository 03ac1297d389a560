"""Finished games on paper: every record is made here, and the texts of bots in it are printable. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.errors import printable
from arena.game import Position
from arena.plaintext import for_lines
from arena.referee.endings import Ending, Outcome
from arena.referee.game import GameRecord, GameSpec

LONGEST_DETAIL = 300
"""The most characters of the sentence about a forfeit that the log keeps."""

Spent = list[list[float]]
"""CPU and wall seconds of either side."""


def read_record(values: Sequence[Any]) -> GameRecord:
    """Return a record that came as plain values; ValueError, TypeError or IndexError if it is none."""
    found = GameRecord(*values)
    clocks = tuple(map(bool, found.takes_clock))
    return found._replace(
        ending=Ending(found.ending),
        moves=tuple(map(int, found.moves)),
        takes_clock=(clocks[0], clocks[1]),
        again=None,
    )


def nothing_spent() -> Spent:
    """Return what both sides have used before the first move."""
    return [[0.0, 0.0], [0.0, 0.0]]


def record(spec: GameSpec, position: Position, outcome: Outcome, spent: Spent, isolation: str) -> GameRecord:
    """Return the record of a finished game."""
    return GameRecord(
        game=spec.game,
        variant=spec.variant.name,
        opening=spec.opening_number,
        repeat=spec.repeat,
        first=spec.first,
        second=spec.second,
        first_version=spec.first_version,
        second_version=spec.second_version,
        winner=(spec.first, spec.second)[outcome.winner],
        ending=outcome.ending,
        detail=outcome.detail and printable(outcome.detail, LONGEST_DETAIL),
        moves=position.history,
        opening_plies=len(spec.opening),
        isolation=isolation,
        first_cpu_seconds=spent[0][0],
        second_cpu_seconds=spent[1][0],
        first_wall_seconds=spent[0][1],
        second_wall_seconds=spent[1][1],
        evidence=outcome.evidence and for_lines(outcome.evidence),
    )
