"""`arena bot`: one bot's page, or a page for every bot of a run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import print_json
from arena.cli.completion import complete_run
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
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN] NAME",
            help="A run as elsewhere, by default the newest; and a bot of it, unless there is --all.",
            autocompletion=complete_run,
        ),
    ] = None,
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

    run, name = _choose(words or [], is_for_all=every is not None)
    found = find_graded(run)
    if run is None:
        print(for_terminal(f"{found.folder}, the newest"), file=sys.stderr)
    if name is not None:
        print(show_bot(found, name, format, screen_width()))
    elif every is not None:
        _write_all(found, every, format)


def _choose(words: Sequence[str], is_for_all: bool) -> tuple[str | None, str | None]:
    """Return the run, None for the newest, and the bot, None for all; UserError if that is not what was said.

    One word is a bot's, unless it is a run's: whoever typed that has forgotten the bot.
    """
    if len(words) <= 1 and is_for_all:
        return (*words, None)[0], None
    if len(words) == 2 and not is_for_all:
        return words[0], words[1]
    if len(words) != 1 or _is_run(words[0]):
        raise UserError("name a bot, or say --all DIR for a page of every bot: one of the two")
    return None, words[0]


def _is_run(text: str) -> bool:
    from arena.results.finding import find_run

    try:
        find_run(text, is_whole=False)
    except UserError:
        return False
    return text not in find_run(None, is_whole=False).field.bots


def _write_all(found: Run, folder: Path, format: PageFormat) -> None:
    from arena.reports.bots import write_bots
    from arena.terminal.sign import Sign

    sign = Sign()
    try:
        index, files = write_bots(
            found, folder, format, lambda done, of: sign.show(f"wrote {done:,} of {of:,} pages")
        )
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror}") from None
    finally:
        sign.clear()
    if format is PageFormat.JSON:
        print_json({"folder": folder, "index": index, "files": files})
        return
    noun = "page" if len(files) == 1 else "pages"
    print(for_terminal(f"wrote {len(files):,} {noun} to {folder}/, and {index}, which leads to them"))
