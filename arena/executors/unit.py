"""What an executor is given and what it gives back: one small protocol for all of them.

A unit is the games that a worker plays in one go, at most 256: of one pairing, or of several between bots
that answer at once. It may be cut anywhere, because a game depends only on its spec. An executor gives back
every game of every unit exactly once, in any order: as a row, or as `Spoilt` if it was spoilt twice and no
bot was at fault. For a game that had to be played again it also gives back a `Replay`, so that every second
chance is recorded. A unit is taken only when a worker is free, so there may be any number of units.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from arena.bots.source import Source
from arena.game import Variant
from arena.inside.wire import pickle_variant
from arena.referee.game import GameRecord, GameSpec
from arena.referee.row import GameRow


class Manner(StrEnum):
    """How many games share a process."""

    SHARED = "shared"  # as many as there are
    FRESH = "fresh"  # every game has processes of its own
    AUDIT = "audit"  # like fresh, but forked from another template, which has other addresses (ASLR)
    REPEAT = "repeat"  # like shared, from that other template


VARIANT = GameSpec._fields.index("variant")
"""Its column."""


class Unit(NamedTuple):
    """Games of some bots with the same limits, and the bots' files."""

    specs: tuple[GameSpec, ...]
    bots: tuple[Source, ...]
    isolation: str
    manner: Manner = Manner.SHARED
    script: tuple[int, ...] | None = None  # moves that are made instead of asking the second of two bots
    is_secret: bool = (
        False  # its bots' processes play nothing else: they could tell in other games what they saw
    )

    def pack(self) -> tuple[object, ...]:
        """Return the unit as it is sent to a worker: by columns, whose values are mostly equal.

        Variants are sent as their pickled form, which a worker that has met it need not read again.
        """
        columns = list(zip(*self.specs, strict=True))
        known = {variant: pickle_variant(variant) for variant in set(columns[VARIANT])}
        columns[VARIANT] = tuple(map(known.__getitem__, columns[VARIANT]))
        return tuple(columns), *self[1:]

    @staticmethod
    def unpack(columns: tuple[tuple[Any, ...], ...], *rest: Any) -> Unit:
        """Return what `pack` was made from."""
        variants = map(_read_variant, columns[VARIANT])
        columns = (*columns[:VARIANT], tuple(variants), *columns[VARIANT + 1 :])
        return Unit(tuple(map(GameSpec._make, zip(*columns, strict=True))), *rest)


@lru_cache(256)
def _read_variant(data: bytes) -> Variant:
    """Return a variant that our own coordinator has sent: the same object for the same bytes."""
    variant: Variant = pickle.loads(data)
    return variant


class Spoilt(NamedTuple):
    """A game that was spoilt twice by our own fault: void, and always written down."""

    spec: GameSpec
    reason: str


class Replay(NamedTuple):
    """A game that is played again: which, whose process failed (empty if none did), and a sentence why."""

    game: str
    variant: str
    first: str
    second: str
    bot: str
    reason: str


def replay(game: GameSpec | GameRecord, bot: str, reason: str) -> Replay:
    """Return the trace that a game leaves when it is played again."""
    variant = game.variant if isinstance(game, GameRecord) else game.variant.name
    return Replay(game.game, variant, game.first, game.second, bot, reason)


Played = GameRecord | Spoilt | Replay


class Place(NamedTuple):
    """Where games were played: the name of a machine, and the walls that were proven there."""

    machine: str
    walls: str


class Machine(NamedTuple):
    """What a machine elsewhere has done for a run so far, and how many of its workers are there, and lost."""

    name: str
    workers: int
    lost: int
    games: int
    seconds: float  # from its first game on

    @property
    def per_second(self) -> float:
        """Games per second."""
        return self.games / self.seconds if self.seconds else 0.0


class Finished(NamedTuple):
    """Some games as they come back: mostly only their rows, which is all that the log needs."""

    rows: list[GameRow]
    remarkable: list[GameRecord]  # forfeits, and games of bots that ask for their clock
    spoilt: list[Spoilt]
    replays: list[Replay]  # not games of their own
    place: Place | None = None  # this machine, if nothing is said

    @property
    def games(self) -> int:
        """How many games these are."""
        return len(self.rows) + len(self.spoilt)

    def extend(self, more: Finished) -> None:
        """Add games that were played in the same place."""
        self.rows.extend(more.rows)
        self.remarkable.extend(more.remarkable)
        self.spoilt.extend(more.spoilt)
        self.replays.extend(more.replays)

    def pack(self) -> tuple[object, ...]:
        """Return the games as they are sent back by a worker: rows by columns, like `Unit.pack`."""
        return tuple(zip(*self.rows, strict=True)), *self[1:]

    @staticmethod
    def unpack(columns: tuple[tuple[Any, ...], ...], *rest: Any) -> Finished:
        """Return what `pack` was made from."""
        return Finished(list(map(GameRow._make, zip(*columns, strict=True))), *rest)


def hand_back(played: Iterable[Played]) -> Finished:
    """Return games as they are handed back; workers do it, so that one coordinator can serve many."""
    found = Finished([], [], [], [])
    for game in played:
        if isinstance(game, Spoilt):
            found.spoilt.append(game)
            continue
        if isinstance(game, Replay):
            found.replays.append(game)
            continue
        found.rows.append(game.row())
        if game.ending.is_forfeit or any(game.takes_clock):
            found.remarkable.append(game)
        if game.again is not None:
            found.replays.append(replay(game, *game.again))
    return found


class Executor(Protocol):
    """Gets units played."""

    def walls(self) -> str:
        """Return the walls around sandboxed bots; NoSandbox if they are not enough."""

    @property
    def workers(self) -> int:
        """How many units are played at once."""

    def play(self, units: Iterable[Unit]) -> Iterator[Finished]:
        """Yield the games of all units as they are finished; an empty one from time to time."""

    def take_news(self) -> list[str]:
        """Return what happened to workers since the last call that people should know."""

    def machines(self) -> list[Machine]:
        """Return who plays elsewhere; nobody if everybody is on this machine."""

    def games(self) -> list[GameSpec]:
        """Return what is being played now, as far as that is known: at most one game for each worker."""

    def stop(self) -> None:
        """Begin no more games; those that are being played may still be finished."""

    def close(self) -> None:
        """End every process that was started."""
