"""games.csv: every game of a run, written while it is read, so that a million need no memory.

Beside a run's own log another process writes it while the tables are made: both take about as long. If that
process is lost or fails, the file is written here, and the user hears why that fails too.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from arena.executors.hand import CONTEXT, without_main
from arena.executors.local import own_cores
from arena.files import write_anew
from arena.log.cache import trust_cache, trusted_state
from arena.plaintext import are_plain, for_csv
from arena.referee.row import GAME_COLUMNS
from arena.results.games import list_games
from arena.results.graded import THROWN_AWAY
from arena.results.graders import be_helper
from arena.results.run import Run

GAMES = "games.csv"

CHUNK = 1_000
"""Rows that are looked at together, because it takes a fifth of the time."""

FEW = 5_000
"""Fewer games than this are written sooner than a process starts."""


@contextmanager
def writing_games(run: Run) -> Iterator[None]:
    """Write the games beside the run's log, elsewhere if there is a core for it, while others are busy."""
    if len(own_cores()) == 1 or run.counts["games"].sum() < FEW:
        yield
        write_all_games(run, run.folder)
        return
    state = trusted_state(run.folder)
    process = CONTEXT.Process(target=_write_elsewhere, args=(str(run.folder), state), daemon=True)
    with without_main():
        process.start()
    try:
        yield
    finally:
        process.join()
    if process.exitcode:
        write_all_games(run, run.folder)


def _write_elsewhere(folder: str, state: str) -> None:
    be_helper()
    place = Path(folder)
    trust_cache(place, state)
    write_all_games(Run(place, is_whole=False), place)


def write_all_games(run: Run, folder: Path, has_details: bool = True) -> None:
    """Write the games of a run into a folder, with what is told of forfeits or without."""
    write_games(folder / GAMES, list_games(run, has_details), [*GAME_COLUMNS, THROWN_AWAY])


def write_games(path: Path, rows: Iterable[Sequence[object]], header: Sequence[str]) -> None:
    """Write rows as CSV while they come."""
    with write_anew(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        left = iter(rows)
        while some := list(islice(left, CHUNK)):
            writer.writerows(some if are_plain(some) else (map(for_csv, row) for row in some))
