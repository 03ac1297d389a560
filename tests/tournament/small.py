"""A small tournament, really played once, whose folder can be copied and tampered with."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import arena
from arena.log.reading import LOG
from arena.plan.outlook import Options, read_checked
from arena.referee.row import GameRow
from arena.results.run import Run
from arena.tournament.conductor import Conductor
from arena.tournament.watch import Watch
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
    return arena.run(written(folder, bots, **changes), executor="serial")


def play_games(folder: Path, bots: dict[str, str] = BOTS, **changes: object) -> Run:
    """Play it as `play` does, for who looks at the log alone."""
    return just_play(written(folder, bots, **changes))


def just_play(config: Path, watch: Watch | None = None, **options: Any) -> Run:
    """Play what is missing without grades and tables, which take twice as long as the games."""
    asked = Options(**{"executor": "serial"} | options)
    with Conductor(read_checked(config, asked), asked, watch or Watch()) as conductor:
        if not conductor.play():
            raise KeyboardInterrupt
    return Run(conductor.folder)


def written(folder: Path, bots: dict[str, str], **changes: object) -> Path:
    """Write the bots and the tournament file."""
    settings: dict[str, Any] = {"variants": VARIANTS, "openings": 3, "isolation": "trusted"} | changes
    return write(folder, bots, **settings)


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
