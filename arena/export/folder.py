"""A run becomes a folder that runs: a tournament file, its bots and its variants.

    configs/<name>.toml     always sandboxed: whoever receives it does not know the bots
    bots/                   a file or a folder for each Python bot; a command's files are where it says
    variants/               those that are not built in

Everything comes out of the log, through the checks of the archive: a source that has not the logged hash is
refused. Then the folder is read as `arena run` would read it, and compared with the field of the plan. So an
export never means something else than its run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.naming import own_name
from arena.bots.source import Source
from arena.config.reading import Tournament, read_tournament
from arena.errors import UserError, printable
from arena.export.sameness import list_notes, list_reasons
from arena.export.texts import LONGEST_NAME, read_settings, write_config, write_variant
from arena.field import Field
from arena.formats import FORMATS
from arena.game import RULE_BOOKS, Variant, variant
from arena.game.definition import define, short
from arena.log.archive import kept_bot, kept_variant
from arena.log.door import explain_errors, wrong
from arena.log.reading import Log
from arena.plan.rounds import frozen_rounds, read_first_field
from arena.results.run import Run

RESULTS = "results"


class Exported(NamedTuple):
    """What was exported, and whether playing it gives the same digest."""

    config: Path
    bots: int
    variants: int
    games: int
    digest: str  # of the run
    reasons: list[str]  # why playing the folder may give another digest; none if it gives the same
    notes: list[str]  # what to know about another machine


def export(run: Run, folder: Path, is_hiding: bool = True) -> Exported:
    """Write a run as a folder that runs; UserError, and no folder, if that cannot be done.

    A run with secret variants that are not shown yet is refused, unless nothing is to be hidden.
    """
    if is_hiding:
        refuse_hidden(run)
    with explain_errors(folder), make_empty(folder), run.log() as log:
        log.require_sound()
        if run.field.format not in FORMATS:
            raise wrong(log.folder, f"it has a format that this arena does not know: {run.field.format}")
        sources = list(_sources(log, run.field))
        config = _write(log, run.field, folder, sources)
        tournament = _read_back(log, run.field, config, folder)
        counts = len(sources), len(tournament.variants), log.planned
        notes = [*list_notes(run, log), *_programs(sources)]
        return Exported(config, *counts, run.digest(), list_reasons(run, log, tournament), notes)


def refuse_hidden(run: Run) -> None:
    """UserError if a run has secret variants that are not shown yet: an export would show them."""
    if run.hidden:
        raise UserError(f"{run.folder} has secret variants, which are shown {run.shown_when}; export it then")


@contextmanager
def make_empty(folder: Path) -> Iterator[None]:
    """Make an empty folder; if something goes wrong, take away all that was written to it."""
    is_new = not os.path.lexists(folder)
    if not is_new and not folder.is_dir():
        raise UserError(f"{folder}: is not a folder")
    if not is_new and any(folder.iterdir()):
        raise UserError(f"{folder}: is not empty; give a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for entry in list(folder.iterdir()):
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        if is_new:
            folder.rmdir()
        raise


def _sources(log: Log, field: Field) -> Iterator[Source]:
    """Yield the bots of the plan in the order in which they entered; later ones at the end."""
    drawn = {name: number for number, name in enumerate(read_first_field(log, field.series))}
    for name in sorted(field.bots, key=lambda name: drawn.get(name, len(drawn))):
        source = kept_bot(log, name, field.bots[name][:12])
        if source.command and any(path.partition("/")[0].lower() == RESULTS for path in source.files):
            # Somebody could send games in this way, which would then not be played.
            raise wrong(log.folder, f"{name} has files in {RESULTS}/, where arena writes")
        yield source


def _programs(sources: list[Source]) -> Iterator[str]:
    """Yield which programs bots need that no log has."""
    for bot in sources:
        if bot.command and os.path.normpath(bot.command[0]) not in bot.files:
            yield f"{bot.name} needs the program {printable(bot.command[0], 80)}, which is not in the folder"


def _write(log: Log, field: Field, folder: Path, sources: list[Source]) -> Path:
    """Write all files; return the tournament file."""
    # Commands first: they name the places of their files, and Python bots take what is free.
    tables = {bot.name: _write_command(bot, folder) for bot in sources if bot.command}
    tables |= {bot.name: _write_python(bot, folder) for bot in sources if not bot.command}
    kept = [kept_variant(log, *named) for named in field.variants]
    words = {found.name: _write_variant(log, found, folder) for found in kept}
    settings = read_settings(log.config(), field)
    ordered = [
        tables[bot.name] | ({"solver": True} if bot.name in field.keep_solver else {}) for bot in sources
    ]
    text = write_config(field, settings, words, ordered, _count_openings(log, field))
    config = folder / "configs" / f"{field.name[:LONGEST_NAME]}.toml"
    _write_new(config, text)
    return config


def _write_command(source: Source, folder: Path) -> dict[str, Any]:
    source.write(folder)
    return {"name": source.name, "command": source.command}


def _write_python(source: Source, folder: Path) -> dict[str, Any]:
    """Write a Python bot; return its table. Its main file keeps its name, by which it may import itself."""
    file = folder / "bots" / source.main
    is_single = len(source.files) == 1 and source.main == f"{source.name}.py"
    if is_single and not os.path.lexists(file):
        file.parent.mkdir(exist_ok=True)
        source.write(file.parent)
        return {"path": f"bots/{source.main}"}
    place = folder / "bots" / source.name
    while os.path.lexists(place):  # a bot may be called `mine.py`, and a command may have its files here
        place = place.with_name(f"{place.name}_")
    place.mkdir(parents=True)
    source.write(place)
    path = place if source.main == "bot.py" else place / source.main
    named = {} if own_name(path) == source.name else {"name": source.name}
    return {"path": path.relative_to(folder).as_posix()} | named


def _write_variant(log: Log, kept: Variant, folder: Path) -> str:
    """Return how a tournament file names a variant, after writing its file if it is not built in."""
    if kept.name not in RULE_BOOKS and ":" not in kept.name:
        path = f"variants/{kept.name}.toml"
        _write_new(folder / path, write_variant(kept))
        return path
    if define(variant(kept.name)) != define(kept):
        raise wrong(
            log.folder, f"its {kept.name} is another variant than this arena's, so it cannot be exported"
        )
    return kept.name


def _write_new(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    with file.open("x", encoding="utf-8") as opened:
        opened.write(text)


def _count_openings(log: Log, field: Field) -> int:
    """Return how many openings each two bots play: a versus becomes a round robin of those it has played."""
    if FORMATS[field.format].is_in_files:
        return field.openings
    rounds = frozen_rounds(log, field.series, field.bots)[0]
    met = [pairing for some in rounds for pairing in some if {pairing.one, pairing.other} == set(field.bots)]
    return max((pairing.start + pairing.sheets for pairing in met), default=1)


def _read_back(log: Log, field: Field, config: Path, folder: Path) -> Tournament:
    """Return the tournament that was written; StoreError if it is not the one of the field."""
    try:
        read = read_tournament(config)
    except UserError as error:
        why = printable(str(error).partition("\n")[0].removeprefix(f"{folder}/"), 200)
        raise wrong(log.folder, f"it cannot be written as a tournament file: {why}") from None
    bots = {bot.name: bot.version for bot in read.bots}
    for name, full in field.bots.items():
        if bots.get(name) != full:
            raise wrong(log.folder, f"the files of {name} in it are not files that arena reads as a bot")
    for found, (name, version) in zip(read.variants, field.variants, strict=True):
        if (found.name, short(define(found))) != (name, version):
            raise wrong(log.folder, f"its variant {name} cannot be written as a file")
    return read
