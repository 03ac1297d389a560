"""What an executor is given and what it gives back: one small protocol for all of them.

A unit is the games a worker plays in one go: one pairing, at most 256 games. It may be cut anywhere, because
a game depends on nothing but its spec. An executor gives back every game of every unit exactly once, in any
order: as a record, or as a `Spoilt` one if it was spoilt twice by no bot's fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from arena.hosts.source import Source
from arena.referee.game import GameRecord, GameSpec


class Unit(NamedTuple):
    """Games of the same two bots with the same limits, and the bots' files by name."""

    specs: tuple[GameSpec, ...]
    bots: tuple[Source, Source]
    isolation: str


class Spoilt(NamedTuple):
    """A game that was spoilt twice by our own fault: void, to be written down and never to be hidden."""

    spec: GameSpec
    reason: str


Played = GameRecord | Spoilt


class Executor(Protocol):
    """Gets units played."""

    def play(self, units: Iterable[Unit]) -> Iterator[Played]:
        """Yield the games of all units as they are finished."""

    def close(self) -> None:
        """End every process that was started."""
