"""`arena export`: a run becomes a folder that runs, or tables that may be published."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.results import RunArgument
from arena.plaintext import for_terminal

if TYPE_CHECKING:
    from arena.export.folder import Exported


def export(
    run: RunArgument,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    without_sources: Annotated[
        bool,
        typer.Option("--without-sources", help="Tables and games only: what may be published."),
    ] = False,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Write a run as a folder that can be played again: tournament file, bots and variants."""
    if without_sources:
        _export_tables(run, folder, format)
        return
    from arena.export.folder import export
    from arena.results.finding import find_run

    found = find_run(run)
    done = export(found, folder)
    if format is PlainFormat.JSON:
        print_json(_as_json(done, folder))
    else:
        print("\n".join(map(for_terminal, _say(done, folder, found.folder))))


def _export_tables(run: str, folder: Path, format: PlainFormat) -> None:
    from arena.export.tables import export_tables
    from arena.terminal.grading import find_graded

    count = export_tables(find_graded(run), folder)
    if format is PlainFormat.JSON:
        print_json({"folder": folder, "files": count})
    else:
        print(for_terminal(f"wrote {count} tables to {folder}/: no sources, no tournament file, no evidence"))


def _as_json(done: Exported, folder: Path) -> dict[str, object]:
    told = {"folder": str(folder), "config": str(done.config), "same_digest": not done.reasons}
    return told | {key: value for key, value in done._asdict().items() if key not in told}


def _say(done: Exported, folder: Path, run: Path) -> list[str]:
    counts = f"{done.bots:,} bots, {_count(done.variants, 'variant')}, {_count(done.games, 'game')} to play"
    lines = [f"wrote {folder}/: {counts}", f"play it with: arena run {shlex.quote(str(done.config))}"]
    if done.reasons:
        lines += [f"its digest may not be that of {run}:", *(f"  {reason}" for reason in done.reasons)]
    else:
        lines.append(f"its digest will be that of {run}: {done.digest}")
    return [*lines, *done.notes]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"
