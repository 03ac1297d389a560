"""A page for every bot of a run, in a folder, and an index that leads to them: who is where, and who passed.

The index is for whoever runs the tournament. It has everybody's verdict, so it is not for everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from arena.files import write_anew
from arena.reports.asjson import write_json
from arena.reports.bot import show_read
from arena.reports.page import Lines, Linked, Title, show_page
from arena.reports.showing import notes
from arena.reports.text import for_people
from arena.results.bot import BotPages
from arena.results.run import Run

EXTENSIONS = {"table": "txt", "markdown": "md", "html": "html", "json": "json"}
"""The formats of a page, and how a file in each is called."""

INDEX = "index"
"""What the index is called; no bot's page is."""

COLUMNS = ["rank", "bot", "rating", "rating 95 %", "score", "score 95 %", "accuracy", "forfeits"]
"""Those of the standings that people see in the index."""

KEYS = ["rank", "bot", "rating", "low", "high", "score", "accuracy", "forfeits"]
"""Those that scripts get."""


def write_bots(
    run: Run, folder: Path, format: str, note: Callable[[int, int], None] = lambda done, of: None
) -> tuple[Path, list[Path]]:
    """Write a page for every bot of a run into a folder, and the index; return its file, and theirs.

    `note` hears how many pages are written, of how many: blunders are solved for them, which takes a while.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pages, names = BotPages(run), name_files(list(run.field.bots), EXTENSIONS[format])
    for done, (bot, name) in enumerate(names.items()):
        note(done, len(names))
        _write(folder / name, show_read(run, pages.read(bot), format))
    index = folder / f"{INDEX}.{EXTENSIONS[format]}"
    _write(index, _show_index(run, names, format))
    return index, [folder / name for name in names.values()]


def name_files(bots: list[str], extension: str) -> dict[str, str]:
    """Return a file name for each bot.

    A bot's name can be one, but some file systems take `Ann` and `ann` for the same: the later gets a number.
    """
    names: dict[str, str] = {}
    taken = {INDEX}
    for bot in bots:
        stem, number = bot, 1
        while stem.lower() in taken:
            number += 1
            stem = f"{bot}-{number}"
        taken.add(stem.lower())
        names[bot] = f"{stem}.{extension}"
    return names


def _write(place: Path, text: str) -> None:
    with write_anew(place) as file:
        file.write(text + "\n")


def _show_index(run: Run, names: dict[str, str], format: str) -> str:
    standings = run.standings()
    files = [names[bot] for bot in standings["bot"]]
    if format == "json":
        return write_json(_add_verdicts(run, standings[KEYS].assign(page=files)).to_dict("records"))
    shown = for_people(standings, run.bots)[COLUMNS].assign(verdict=_say_verdicts(run, standings))
    return show_page([Title(run.field.name), Linked(shown, files), Lines(notes(run))], format)


def _add_verdicts(run: Run, standings: pd.DataFrame) -> pd.DataFrame:
    """Return standings with `passed` and `is_sure`, which are empty for bosses and where nobody is graded."""
    if run.field.grading is None:
        return standings.assign(passed=None, is_sure=None)
    grades = run.passing(run.field.grading)[["bot", "passed", "is_sure"]]
    return standings.merge(grades, on="bot", how="left")


def _say_verdicts(run: Run, standings: pd.DataFrame) -> pd.Series:
    judged = _add_verdicts(run, standings[["bot"]])
    words = {("yes", "yes"): "passed", ("yes", "no"): "passed, not sure"}
    words |= {("no", "yes"): "not passed", ("no", "no"): "not passed, not sure"}
    each = zip(judged["passed"], judged["is_sure"], strict=True)
    return pd.Series([words.get(verdict) for verdict in each], dtype=object)
