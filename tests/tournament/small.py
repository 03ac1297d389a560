"""A small tournament, really played once, whose folder can be copied and tampered with."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import arena
from arena.log.reading import LOG
from arena.referee.row import GameRow
from arena.results.run import Run
from tests.tournament.field import CHANCE, FIRST, write

# Plays on for a while, so that there are moves before the forfeit.
LIAR = (
    "def move(position):\n    if len(position.history) < 4:\n        return position.legal_moves[-1]\n"
    "    print('now for a lie')\n    return 999\n"
)
BOTS = {"first": FIRST, "chance": CHANCE, "liar": LIAR}
VARIANTS = ["blockade-5x5", "snort:line-9"]


def play(folder: Path, bots: dict[str, str] = BOTS, **changes: object) -> Run:
    """Play a tournament of small bots in a folder, or what is missing of it."""
    settings: dict[str, Any] = {"variants": VARIANTS, "openings": 3, "isolation": "trusted"} | changes
    return arena.run(write(folder, bots, **settings), executor="serial")


def copied(run: Run, folder: Path) -> Run:
    """Copy a run folder."""
    shutil.copytree(run.folder, folder)
    return Run(folder)


def change(run: Run, statement: str, *values: object) -> None:
    """Do to a log what nobody should do."""
    with closing(sqlite3.connect(run.folder / LOG, isolation_level=None)) as database:
        database.execute(statement, values)


def logged(run: Run) -> list[GameRow]:
    """The games of the plan, in the order of their ids."""
    with run.log() as log:
        return list(log.games_by_id())


def everything(run: Run) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables, by table."""
    with run.log() as log:
        tables = [name for (name,) in log.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: log.rows(f"SELECT * FROM {table} ORDER BY rowid") for table in tables}
