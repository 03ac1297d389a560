"""Two run folders side by side: what differs, and how the games of one are merged into the other.

Merging takes games, and nothing that could change what the first folder does later: no openings, no rounds,
no marks, no settings. The second folder is a stranger's. Each of its games is verified there, and again by
what the first folder was planned with: its seed, its limits, its format of ids. A game that could never be
one of its own is left out. A game brings its bots' sources and its variant's definition, unless the first
folder has that hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from arena.bots.source import Source
from arena.errors import UserError
from arena.game import Variant
from arena.game.definition import define, short
from arena.log import archive, audits
from arena.log.reading import Log
from arena.log.writing import Store
from arena.referee.row import GameRow
from arena.results.run import Run
from arena.results.verify import Check, terms_of
from arena.solver.openings import Opening

BATCH = 10_000
MOST_OPENINGS = 10_000
"""How many openings of a variant are drawn to check a game's opening; games with a later one are left out."""


class Difference(NamedTuple):
    """A game that differs between two folders; None if one has not played it."""

    one: GameRow | None
    other: GameRow | None

    @property
    def game(self) -> str:
        """The id of the game."""
        found = self.one or self.other
        assert found is not None
        return found.game


def differences(one: Run, other: Run) -> Iterator[Difference]:
    """Yield the games of either plan that differ in who won, how, or by which moves; in the order of ids."""
    with one.log() as first, other.log() as second:
        yield from _walk_both(first.games_by_id(), second.games_by_id())


def _walk_both(ones: Iterator[GameRow], others: Iterator[GameRow]) -> Iterator[Difference]:
    """Walk two sorted lists of games at once, so that neither has to be held."""
    one, other = next(ones, None), next(others, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one.game < other.game):
            yield Difference(one, None)
            one = next(ones, None)
        elif one is None or other.game < one.game:
            yield Difference(None, other)
            other = next(others, None)
        else:
            if one.result != other.result:
                yield Difference(one, other)
            one, other = next(ones, None), next(others, None)


class Merged(NamedTuple):
    """What a merge did."""

    added: int = 0
    counted: int = 0  # of those, how many the first folder's plan has
    there_already: int = 0
    differing: int = 0  # of those, how many have another result; the first folder's stay
    left_out: int = 0  # games with another seed, limits or format, which can never be the first folder's


def merge(into: Run, source: Run) -> Merged:
    """Add the games of one folder to another; UserError, and nothing is added, if one of them is wrong."""
    if into.folder.resolve() == source.folder.resolve():
        raise UserError(f"{into.folder} cannot be merged into itself")
    with source.log() as log, closing(Store(into.folder)) as store:
        _verify(source, log)
        merging = _Merging(store, log)
        merging.bring_all(log.games())  # all of it, before the first game is added
        merged = merging.add(log.games())
        if merged.added:
            audits.end(store)  # games from another machine may differ here, which is nobody's fault
        store.settle()
    return merged


class _Merging:
    """Games on their way from one folder into another."""

    def __init__(self, store: Store, log: Log) -> None:
        self._store = store
        self._log = log
        self._check = Check(log, terms_of(store))
        self._counted = store.planned_ids()
        self._hashes = {(name, version): full for name, version, full in store.bots()}
        self._versions: dict[str, set[str]] = {}
        for name, version, _ in store.variants():
            self._versions.setdefault(name, set()).add(version)
        self._openings: dict[tuple[Variant, int], list[Opening]] = {}

    def bring_all(self, games: Iterator[GameRow]) -> None:
        """Bring all that the games need into the first folder; UserError, and nothing, if one is wrong."""
        needed: dict[tuple[str, str], None] = {}
        variants: dict[tuple[str, str], Variant] = {}
        for row in games:
            origin = self._origin(row)
            if origin is not None and not self._store.find(row.game):
                needed |= dict.fromkeys(((row.first, row.first_version), (row.second, row.second_version)))
                variants[row.variant, short(define(origin))] = origin
        sources = [self._source(bot) for bot in needed]
        for source in sources:
            archive.keep_bot(self._store, source)
        for variant in variants.values():
            archive.keep_variant(self._store, variant)

    def _source(self, bot: tuple[str, str]) -> Source:
        """Return a bot's source; UserError if the first folder has another one of that name and version."""
        source = archive.kept_bot(self._log, *bot)
        if self._hashes.setdefault(bot, source.version) != source.version:
            raise UserError(f"{self._store.folder} has another bot {bot[0]} {bot[1]}; nothing was added")
        return source

    def add(self, games: Iterator[GameRow]) -> Merged:
        """Add the games that are not there yet and may be added; return how many of each kind there were."""
        merged, fresh = Merged(), []
        for row in games:
            there = self._store.find(row.game)
            if there:
                differs = there[0].result != row.result
                merged = _plus(merged, there_already=1, differing=int(differs))
            elif self._origin(row) is None:
                merged = _plus(merged, left_out=1)
            else:
                fresh.append(row)
                merged = _plus(merged, added=1, counted=int(row.game in self._counted))
            if len(fresh) == BATCH:
                self._store.write(fresh)
                fresh = []
        self._store.write(fresh)
        return merged

    def _origin(self, row: GameRow) -> Variant | None:
        """Return the variant of a game that may be one of the first folder's; None if it may not.

        If the first folder has another board under that name, no game is taken: that board would be shown.
        """
        origin = self._check.origin(row)
        if origin is None or not self._is_own_opening(row, *origin):
            return None
        known = self._versions.get(row.variant)
        return origin[0] if known is None or short(define(origin[0])) in known else None

    def _is_own_opening(self, row: GameRow, variant: Variant, seed: int) -> bool:
        """Whether the first folder has the same opening under this number: ids do not cover the number."""
        if row.opening >= MOST_OPENINGS:
            return False
        opened = self._openings.get((variant, seed), [])
        if len(opened) <= row.opening:
            count = min(MOST_OPENINGS, 2 * row.opening + 8)
            opened = archive.frozen_openings(self._store, variant, seed, count)
            self._openings[variant, seed] = opened
        cells = row.cells[: row.opening_plies]
        return row.opening < len(opened) and opened[row.opening].cells == cells


def _plus(merged: Merged, **more: int) -> Merged:
    return merged._replace(**{name: getattr(merged, name) + count for name, count in more.items()})


def _verify(run: Run, log: Log) -> None:
    check = Check(log)
    for row in log.games():
        wrong = check.mistake(row)
        if wrong is not None:
            raise UserError(
                f"{run.folder}: game {row.game} is not what the rules say: {wrong}; nothing was added"
            )
