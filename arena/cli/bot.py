"""`arena bot`: one bot's page, or a page for every bot of a run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import print_json
from arena.cli.results import RunArgument
from arena.errors import UserError
from arena.plaintext import for_terminal
from arena.terminal.output import screen_width

if TYPE_CHECKING:
    from arena.results.run import Run


class PageFormat(StrEnum):
    """How a page is printed."""

    TABLE = "table"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


def bot(
    run: RunArgument,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A bot of the run.")] = None,
    format: Annotated[PageFormat, typer.Option(help="The output format.")] = PageFormat.TABLE,
    every: Annotated[
        Path | None,
        typer.Option(
            "--all", metavar="DIR", help="Write a page for every bot, and an index, into this folder."
        ),
    ] = None,
) -> None:
    """Show why a bot stands where it stands: its record, its worst blunders, its forfeits."""
    from arena.reports.bot import show_bot
    from arena.terminal.grading import find_graded

    if (name is None) == (every is None):
        raise UserError("name a bot, or say --all DIR for a page of every bot: one of the two")
    found = find_graded(run)
    if name is not None:
        print(show_bot(found, name, format, screen_width()))
    elif every is not None:
        _write_all(found, every, format)


def _write_all(found: Run, folder: Path, format: PageFormat) -> None:
    from arena.reports.bots import write_bots

    try:
        index, files = write_bots(found, folder, format)
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror}") from None
    if format is PageFormat.JSON:
        print_json({"folder": folder, "index": index, "files": files})
        return
    noun = "page" if len(files) == 1 else "pages"
    print(for_terminal(f"wrote {len(files):,} {noun} to {folder}/, and {index}, which leads to them"))
