"""Finds a run by what a user types: a folder, a name in `results/`, or by default the newest.

It also says what to type for a run.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from arena.errors import UserError, did_you_mean, printable, require_path
from arena.log.door import LOG, explain_errors
from arena.results.run import Run

HOW = "a run is its folder, or its name in results/"


def find_run(text: str | None, results: Path = Path("results"), is_whole: bool = True) -> Run:
    """Return a run by its folder or its name in `results/`; the newest if `text` is None.

    `is_whole` if what needs grades should wait for all of them.
    """
    if text is None:
        return Run(_newest(results), is_whole)
    for folder in (Path(text), results / text):
        with explain_errors(folder):
            if os.path.lexists(folder / LOG):
                return Run(folder, is_whole)
    if Path(text).is_dir():
        raise UserError(f"{printable(text, 200)}: there is no {LOG} in it, so it is not a run folder")
    names = [folder.name for folder in list_runs(results)]
    hint = did_you_mean(text, names) or (f"; there are {', '.join(names)}" if names else "")
    raise UserError(f"there is no run '{printable(text, 200)}' here or in {results}/{hint}")


def open_run(run: str | os.PathLike[str] | None = None, *, grades: bool = True) -> Run:
    """Return a run, finished or not, by its folder or its name in `results/`; the newest if none is named.

    Games that are not graded yet are graded when grades are asked for, unless `grades` is False.
    """
    text = None if run is None else require_path(run, f"run; {HOW}")
    return find_run(text, is_whole=grades)


def name_run(folder: Path, results: Path = Path("results")) -> str:
    """Return what to type for a run in a command: its name in `results/`, else its folder."""
    return shlex.quote(folder.name if folder.parent == results else str(folder))


def _newest(results: Path) -> Path:
    runs = list_runs(results)
    if not runs:
        raise UserError(f"there is no run in {results}/ yet; `arena run CONFIG` makes one")
    return max(runs, key=changed_at)


def changed_at(folder: Path) -> float:
    """Return when a log, or what is still beside it, was last changed; readers leave an empty file there."""
    files = [folder / LOG, folder / f"{LOG}-wal"]
    found = [file.lstat() for file in files if os.path.lexists(file)]
    return max((each.st_mtime for each in found if each.st_size), default=0.0)


def list_runs(results: Path) -> list[Path]:
    """Return the run folders of a folder, by name."""
    return sorted(file.parent for file in results.glob(f"*/{LOG}"))
