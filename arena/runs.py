"""A run from its file to its tables: play what is missing, write it out, grade it.

Playing knows nothing of tables, and tables know nothing of playing. Here the steps are done in turn, also
after the user has stopped a run, so that there is something to look at.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from arena.config.reading import Config, Tournament
from arena.errors import require_path
from arena.executors.cluster import Cluster, check_address
from arena.executors.hand import start_server
from arena.formats.versus import assess
from arena.plan.outlook import Options, changed_meanwhile, read_checked
from arena.referee.row import GameRow
from arena.reports.showing import write_tables
from arena.results.afar import Afar
from arena.results.alongside import Alongside
from arena.results.compare import Merged
from arena.results.compare import merge as merge_games
from arena.results.grading import grade, is_soon_graded
from arena.results.run import Run
from arena.terminal.watching import watching_from_python
from arena.tournament.conductor import Conductor
from arena.tournament.stopping import Stop, stopping_later
from arena.tournament.watch import Watch
from arena.tournament.writing import heed_nothing

SWITCH_SECONDS = 0.0005
FEW = 2_000
"""So few games are put into order within milliseconds, and played within a second."""

if TYPE_CHECKING:
    from arena.standings.sprt import State


def run(
    config: Config,
    *,
    workers: int = 0,
    isolation: str | None = None,
    executor: str = "local",
    results: str | os.PathLike[str] | None = None,
    again: tuple[str, ...] = (),
    watch: Watch | None = None,
    audit: bool = True,
    grades: bool = True,
    progress: bool | None = None,
    seed: int | None = None,
    name: str | None = None,
    scheduler: str | None = None,
    tls_ca: str | os.PathLike[str] | None = None,
    tls_cert: str | os.PathLike[str] | None = None,
    tls_key: str | os.PathLike[str] | None = None,
) -> Run:
    """Play what is missing of a tournament, and return its run folder, with standings and games in it.

    `config` is a tournament file, or a dict with the same keys, whose relative paths start at the working
    directory. `seed` and `name` replace those of the file; a seed alone is added to the name. Progress is
    shown in a terminal and in a notebook, unless `progress` says otherwise; a `watch` of the caller's own
    takes its place. `scheduler` is the address of a dask scheduler, whose workers then play; if it has
    certificates, `tls_ca`, `tls_cert` and `tls_key` are those of the caller.
    """
    place = None if results is None else Path(require_path(results, "folder for results"))
    if scheduler is not None:
        check_address(scheduler)  # also an empty text, which elsewhere says that there is none
    files = [
        "" if file is None else require_path(file, "file for TLS") for file in (tls_ca, tls_cert, tls_key)
    ]
    cluster = Cluster(scheduler or "", *files)
    where = executor if scheduler is None else "dask"
    options = Options(workers, isolation, where, place, again, audit, grades, seed, name, cluster)
    prepare(options)
    tournament = read_checked(config, options)
    shown = nullcontext(watch) if watch is not None else watching_from_python(progress, tournament.secret)
    with shown as watcher:
        return play(tournament, options, watcher)


def play(tournament: Tournament, options: Options, watch: Watch) -> Run:
    """Play what is missing of a tournament, and say which of its files were changed during the run."""
    with Conductor(tournament, options, watch) as conductor:
        run = _play_and_write(conductor, options, watch)
    for line in changed_meanwhile(tournament):
        watch.say(line)
    return run


def sit(tournament: Tournament, options: Options, watch: Watch, stop: Stop) -> bool:
    """Play what is missing of a tournament until it is done, or until another thread asks to stop.

    Return whether everything was played, graded and written. Whoever asks to stop has more to play soon, so
    nothing is graded and written then; `write_out` does that.
    """
    with Conductor(tournament, options, watch, stop) as conductor:
        if not _play(conductor, options):
            if stop.is_users:
                raise KeyboardInterrupt
            return False
    return write_out(conductor.folder, options, watch, stop)


def write_out(folder: Path, options: Options, watch: Watch, stop: Stop) -> bool:
    """Grade the games of a folder and write its tables; False if it was asked to stop before the end."""
    if stop.is_asked:
        return False
    if not is_soon_graded(folder):
        _write(Run(folder, is_whole=False))
    try:
        _grade(folder, options, _Yielding(watch, stop))
    except _Yielded:
        return False
    return True


class _Yielded(Exception):  # noqa: N818 - nothing is wrong
    """Grading has given way."""


class _Yielding(Watch):
    """Hears of grading for another watcher, and ends it when it is asked to stop."""

    def __init__(self, watch: Watch, stop: Stop) -> None:
        self._watch, self._stop = watch, stop

    def say(self, sentence: str) -> None:
        self._watch.say(sentence)

    def note_grades(self, done: int, of: int) -> None:
        self._watch.note_grades(done, of)
        if self._stop.is_asked:
            raise _Yielded


def play_versus(tournament: Tournament, options: Options, watch: Watch) -> tuple[Run, State]:
    """Play two bots against each other until one is known to be better; return the folder and the answer."""
    with Conductor(tournament, options, watch) as conductor:
        run = _play_and_write(conductor, options, watch)
        conductor.course.follow(conductor.plan)
        field = [bot.name for bot in tournament.bots]
        return run, assess(field, conductor.course.rounds, tournament.settings)


def merge(into: Run, source: Run) -> Merged:
    """Add the games of one folder to another, and rewrite the tables of the first."""
    merged = merge_games(into, source)
    write_tables(Run(into.folder))
    return merged


def _play_and_write(conductor: Conductor, options: Options, watch: Watch) -> Run:
    """Play, write the files beside the log, and write them again when the games are graded.

    Grading may take a while. Whenever it is stopped, there are tables. The run that comes back has computed
    them already.
    """
    try:
        is_over = _play(conductor, options)
    except KeyboardInterrupt:  # at once, with games in hand; what was committed is there
        is_over = False
    run = Run(conductor.folder, is_whole=False)
    if not (is_over and options.grades and is_soon_graded(conductor.folder)):
        _write(run)
    if not is_over:
        raise KeyboardInterrupt
    return _grade(conductor.folder, options, watch) if options.grades else run


def _play(conductor: Conductor, options: Options) -> bool:
    """Play, and grade meanwhile what can be graded at once; return whether everything was played."""
    import_tables = cache(_import_ahead)  # once
    if conductor.plan.count - conductor.played < FEW:
        import_tables()
    with Alongside(conductor.folder) as alongside:
        grades = alongside.take if options.grades and options.executor != "serial" else heed_nothing

        def heed(rows: Sequence[GameRow]) -> None:
            import_tables()
            grades(rows)

        return conductor.play(heed)


def prepare(options: Options) -> None:
    """Let workers be got ready while files are read and the plan is made."""
    if options.executor == "local":
        start_server()


def _import_ahead() -> None:
    """Import what tables need while workers play: the packages for that take half a second.

    Whoever hands out games must not wait for the interpreter's lock meanwhile, so it changes hands often. If
    there are many games, they are first put into order, and nobody else may want the lock then.
    """

    def import_it() -> None:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            import_module("arena.reports.files")
        finally:
            sys.setswitchinterval(usual)

    Thread(target=import_it, daemon=True).start()


def _grade(folder: Path, options: Options, watch: Watch) -> Run:
    """Grade what is not graded yet, and write what that changes: nearly every table."""
    workers = 1 if options.executor == "serial" else options.workers
    try:
        with Afar(options.cluster, watch.say) as afar:
            elsewhere = afar.grade if options.cluster.address else None
            grade(folder, watch.note_grades, workers, elsewhere)
    except KeyboardInterrupt:
        watch.say("grading was stopped: the tables are written, and say how many games are not graded")
        _write(Run(folder, is_whole=False))
        raise
    run = Run(folder)
    _write(run)
    return run


def _write(run: Run) -> None:
    with stopping_later():
        write_tables(run)
