"""`arena report`: a run as one page for a browser, its charts as files, and a page without names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.results import NewestArgument
from arena.errors import UserError
from arena.plaintext import for_terminal

if TYPE_CHECKING:
    from arena.results.run import Run

OutputOption = Annotated[
    Path | None,
    typer.Option(metavar="F", help="Write to this file; by default report.html in the folder."),
]
SvgOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write the charts as SVG files into this folder, and no page."),
]
EvidenceOption = Annotated[
    bool,
    typer.Option(
        "--evidence", help="Add what bots printed and where they failed, which quotes their sources."
    ),
]
AnonymousOption = Annotated[
    bool,
    typer.Option(
        "--anonymous",
        help="Numbers for names, with a key beside it; no versions, no details, no tournament file.",
    ),
]


class Written(NamedTuple):
    """The files that were written: a page or charts, and the key to the names of an anonymous one."""

    page: Path | None
    charts: list[Path]
    key: Path | None = None


def report(
    run: NewestArgument = None,
    output: OutputOption = None,
    svg: SvgOption = None,
    evidence: EvidenceOption = False,
    anonymous: AnonymousOption = False,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Write a run as one page for a browser, which needs no other file and no network."""
    from arena.terminal.grading import find_graded
    from arena.terminal.sign import signing

    _check(output, svg, evidence, anonymous)
    found = find_graded(run)
    if run is None:
        print(for_terminal(f"{found.folder}, the newest"), file=sys.stderr)
    try:
        with signing("writing"):
            written = _write(found, output, svg, evidence, anonymous)
    except OSError as error:
        raise UserError(f"{output or svg or found.folder}: {error.strerror}") from None
    if format is PlainFormat.JSON:
        print_json(_tell(found, written))
    else:
        print("\n".join(map(for_terminal, _say(written))))


def _check(output: Path | None, svg: Path | None, evidence: bool, anonymous: bool) -> None:
    if evidence and anonymous:
        raise UserError(
            "--evidence and --anonymous: what bots print may tell whose they are; say one of them"
        )
    if svg is not None and (output is not None or evidence):
        raise UserError("--svg writes charts and no page: leave --output and --evidence out")


def _write(run: Run, output: Path | None, svg: Path | None, evidence: bool, anonymous: bool) -> Written:
    from arena.export.anonymous import open_anonymous, write_key
    from arena.pages.evidence import read_printed
    from arena.pages.figures import write_figures
    from arena.pages.report import NAMELESS, write_report

    if not anonymous:
        if svg is not None:
            return Written(None, write_figures(run, svg))
        return Written(write_report(run, output, read_printed(run) if evidence else {}), [])
    with open_anonymous(run) as (copy, key):
        if svg is not None:
            return Written(None, write_figures(copy, svg), write_key(key, svg / "figures.svg"))
        page = write_report(copy, output or run.folder / NAMELESS)
        return Written(page, [], write_key(key, page))


def _tell(run: Run, written: Written) -> dict[str, object]:
    page, charts, key = written
    size = None if page is None else page.stat().st_size
    about = {"run": run.field.name, "folder": run.folder}
    return {**about, "file": page, "bytes": size, "svg": charts, "key": key}


def _say(written: Written) -> list[str]:
    page = [f"wrote {written.page}: open it in a browser"] if written.page else []
    charts = [f"wrote {file}" for file in written.charts]
    if not page and not charts:
        charts = ["nothing to draw: no game has been played yet"]
    key = [f"wrote {written.key}: who is who, for you alone"] if written.key else []
    return [*page, *charts, *key]
