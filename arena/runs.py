"""A run from its file to its tables: play what is missing, write it out, grade it.

Playing knows nothing of tables, and tables know nothing of playing. Here the steps are done in turn, also
after the user has stopped a run, so that there is something to look at.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from arena.config.reading import Tournament
from arena.formats.versus import assess
from arena.plan.outlook import Options, changed_meanwhile, read_checked
from arena.reports.showing import write_tables
from arena.results.compare import Merged
from arena.results.compare import merge as merge_games
from arena.results.grading import grade, is_soon_graded
from arena.results.run import Run
from arena.tournament.conductor import Conductor
from arena.tournament.watch import Watch

if TYPE_CHECKING:
    from arena.standings.sprt import State


def run(
    config: str | os.PathLike[str],
    *,
    workers: int = 0,
    isolation: str | None = None,
    executor: str = "local",
    results: str | os.PathLike[str] | None = None,
    again: tuple[str, ...] = (),
    watch: Watch | None = None,
    audit: bool = True,
    grades: bool = True,
) -> Run:
    """Play what is missing of a tournament, and return its run folder, with standings and games in it."""
    place = Path(results) if results is not None else None
    options = Options(workers, isolation, executor, place, again, audit, grades)
    return play(read_checked(config, options), options, watch or Watch())


def play(tournament: Tournament, options: Options, watch: Watch) -> Run:
    """Play what is missing of a tournament, and say which of its files were changed during the run."""
    with Conductor(tournament, options, watch) as conductor:
        _play_and_write(conductor, options, watch)
    for line in changed_meanwhile(tournament):
        watch.say(line)
    return Run(conductor.folder, is_whole=options.grades)


def play_versus(tournament: Tournament, options: Options, watch: Watch) -> tuple[Run, State]:
    """Play two bots against each other until one is known to be better; return the folder and the answer."""
    with Conductor(tournament, options, watch) as conductor:
        _play_and_write(conductor, options, watch)
        conductor.course.follow(conductor.plan)
        field = [bot.name for bot in tournament.bots]
        return Run(conductor.folder), assess(field, conductor.course.rounds, tournament.settings)


def merge(into: Run, source: Run) -> Merged:
    """Add the games of one folder to another, and rewrite the tables of the first."""
    merged = merge_games(into, source)
    write_tables(Run(into.folder))
    return merged


def _play_and_write(conductor: Conductor, options: Options, watch: Watch) -> None:
    """Play, write the files beside the log, and write them again when the games are graded.

    Grading may take a while. Whenever it is stopped, there are tables.
    """
    is_over = conductor.play()
    is_waited_for = is_over and options.grades and is_soon_graded(conductor.folder)
    if not is_waited_for:
        write_tables(Run(conductor.folder, is_whole=False))
    if not is_over:
        raise KeyboardInterrupt
    if options.grades:
        _grade(conductor.folder, options, watch, has_games=not is_waited_for)


def _grade(folder: Path, options: Options, watch: Watch, has_games: bool) -> None:
    """Grade what is not graded yet; a list of games does not depend on grades, and is not written again."""
    try:
        grade(folder, watch.note_grades, 1 if options.executor == "serial" else options.workers)
    except KeyboardInterrupt:
        write_tables(Run(folder, is_whole=False), has_games)
        raise
    write_tables(Run(folder), has_games)
