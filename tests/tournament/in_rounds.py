"""Tournaments in rounds for tests: some bots, what is compared of a run, and a run that dies on its way."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from arena.executors import serial
from arena.log.reading import Log
from arena.log.writing import Store
from arena.referee.game import Row
from arena.results.run import Run
from arena.results.verify import mistakes
from arena.tournament import stretches, writing
from tests.tournament import field, small
from tests.tournament.field import CHANCE, FIRST, GLOBALS, LAST

FORMATS = ("swiss", "knock-out", "ladder")
ONE_FORMAT = ("swiss", *(pytest.param(format, marks=pytest.mark.long) for format in FORMATS[1:]))
"""For what is the same code for all of them and takes seconds: one here, the others in the soak."""
SETTINGS: dict[str, Any] = {"variants": ["blockade-5x5", "snort:line-9"], "openings": 2}


def some(count: int) -> dict[str, str]:
    """So many bots, no two alike, a quarter of them with chance."""
    texts = (FIRST, LAST, CHANCE, GLOBALS)
    return {f"b{number}": f"{texts[number % 4]}# {number}\n" for number in range(count)}


def play(folder: Path, bots: dict[str, str], **changes: object) -> Run:
    """Play a tournament, or what is missing of it, in this process; no tables are written."""
    return small.play_games(folder, bots, **(SETTINGS | changes))


def facts(run: Run) -> tuple[object, ...]:
    """What must not depend on how a tournament came about."""
    standings = run.standings().drop(columns="cpu_ms_per_move").to_csv()
    return run.digest(), field.rows(run.folder, "SELECT * FROM rounds ORDER BY rowid"), standings


def rounds(run: Run, columns: str = "one, other") -> list[list[tuple[Any, ...]]]:
    """The pairings of each round of the series of now, as the log has frozen them."""
    query = f"SELECT round, {columns} FROM rounds WHERE series = '{run.field.series}' ORDER BY rowid"
    found: dict[int, list[tuple[Any, ...]]] = {}
    for number, *rest in field.rows(run.folder, query):
        found.setdefault(number, []).append(tuple(rest))
    assert list(found) == list(range(1, len(found) + 1))
    return list(found.values())


def wrong(run: Run) -> list[tuple[str, str]]:
    """What `arena verify` would complain about."""
    with closing(Log(run.folder)) as log:
        return list(mistakes(log))


class Died(BaseException):
    """What stands for the end of a process, in this one."""


@contextmanager
def dying(writes: int) -> Iterator[None]:
    """Have a run within it end when it would write games once more than so often; every unit is written by itself."""
    honest, left = Store.write_by_machine, [writes]

    def write(store: Store, games: Mapping[int, Iterable[Row]]) -> None:
        if not left[0]:
            raise Died
        left[0] -= 1
        honest(store, games)

    with pytest.MonkeyPatch.context() as patch, suppress(Died):
        patch.setattr(writing, "COMMIT_SECONDS", 0.0)
        patch.setattr(stretches, "STRETCH_SECONDS", 0.0)  # units as the plan has them
        patch.setattr(stretches, "SECONDS_OF_BOT", 0.0)
        patch.setattr(serial, "batches", lambda games: [list(games)])  # however long a unit takes
        patch.setattr(Store, "write_by_machine", write)
        yield
