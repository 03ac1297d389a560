"""`arena report`: a run as one page for a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.results import NewestArgument
from arena.errors import UserError
from arena.plaintext import for_terminal


def report(
    run: NewestArgument = None,
    output: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Write to this file; by default report.html in the folder."),
    ] = None,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Write a run as one page for a browser, which needs no other file and no network."""
    from arena.pages.report import write_report
    from arena.terminal.grading import find_graded

    found = find_graded(run)
    if run is None:
        print(for_terminal(f"{found.folder}, the newest"), file=sys.stderr)
    try:
        file = write_report(found, output)
    except OSError as error:
        raise UserError(f"{output or found.folder}: {error.strerror}") from None
    if format is PlainFormat.JSON:
        size = file.stat().st_size
        print_json({"run": found.field.name, "folder": found.folder, "file": file, "bytes": size})
    else:
        print(for_terminal(f"wrote {file}: open it in a browser"))
