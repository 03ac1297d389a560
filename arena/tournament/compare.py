"""Two run folders beside each other: what differs, and how the games of one come into the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from arena.errors import UserError
from arena.referee.game import Row
from arena.store import Log, Store
from arena.tournament.run import Run
from arena.tournament.showing import write_tables
from arena.tournament.verify import Check, Logged

BATCH = 10_000


class Difference(NamedTuple):
    """A game that two folders do not have alike; None where one has not played it."""

    one: Logged | None
    other: Logged | None

    @property
    def game(self) -> str:
        """The id of the game."""
        found = self.one or self.other
        assert found is not None
        return found.game


def differences(one: Run, other: Run) -> Iterator[Difference]:
    """Yield the games of either plan that differ in who won, how, or by which moves; in the order of ids."""
    with one.log() as first, other.log() as second:
        yield from _merged(first.games_by_id(), second.games_by_id())


def _merged(ones: Iterator[Row], others: Iterator[Row]) -> Iterator[Difference]:
    """Walk two sorted lists of games at once, so that neither has to be held."""
    one, other = next(ones, None), next(others, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[0] < other[0]):
            yield Difference(Logged(*(one or ())), None)
            one = next(ones, None)
        elif one is None or other[0] < one[0]:
            yield Difference(None, Logged(*other))
            other = next(others, None)
        else:
            found = Difference(Logged(*one), Logged(*other))
            if _result(one) != _result(other):
                yield found
            one, other = next(ones, None), next(others, None)


def _result(row: Row) -> tuple[str, str, str]:
    game = Logged(*row)
    return game.winner, game.ending, game.moves


class Merged(NamedTuple):
    """What a merge did."""

    added: int
    there_already: int
    differing: int  # of those, how many ended otherwise; the first folder's stay


def merge(into: Run, source: Run) -> Merged:
    """Add the games of one folder to another; UserError, and nothing added, if one of them is not right."""
    if into.folder.resolve() == source.folder.resolve():
        raise UserError(f"{into.folder} is that very folder")
    with source.log() as log, closing(Store(into.folder)) as store:
        _verify(source, log)
        _add_what_games_need(store, log)
        merged = _added(store, log.games())
    write_tables(Run(into.folder))
    return merged


def _add_what_games_need(store: Store, log: Log) -> None:
    """Copy variants, openings, bots and runs; a bot that could not be repeated in one folder never can."""
    for table in ("variants", "openings", "bots", "files"):
        store.insert(table, log.rows(f"SELECT * FROM {table}"))
    known = {row[1:] for row in store.rows("SELECT * FROM runs")}
    runs = [row[1:] for row in log.rows("SELECT * FROM runs")]
    store.insert("runs", [(None, *row) for row in runs if row not in known])
    with store.transaction() as database:
        marked = log.rows("SELECT name, hash FROM bots WHERE is_repeatable = 0")
        database.executemany("UPDATE bots SET is_repeatable = 0 WHERE name = ? AND hash = ?", marked)


def _added(store: Store, games: Iterator[Row]) -> Merged:
    merged, fresh = Merged(0, 0, 0), []
    for row in games:
        found = store.found(row[0])
        if found:
            differing = _result(found[0]) != _result(row)
            merged = merged._replace(
                there_already=merged.there_already + 1, differing=merged.differing + differing
            )
            continue
        fresh.append(row)
        if len(fresh) == BATCH:
            store.write(fresh)
            merged, fresh = merged._replace(added=merged.added + len(fresh)), []
    store.write(fresh)
    return merged._replace(added=merged.added + len(fresh))


def _verify(run: Run, log: Log) -> None:
    check = Check(log)
    for row in log.games():
        wrong = check.mistake(Logged(*row))
        if wrong is not None:
            raise UserError(
                f"{run.folder}: game {row[0]} is not what the rules say: {wrong}; nothing was added"
            )
