"""`arena run`: plays what is missing of a tournament, shows progress, prints standings."""

from __future__ import annotations

import signal
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.bots import Isolation
from arena.cli.page import show_page, write_page
from arena.plaintext import for_terminal
from arena.terminal.output import screen_width
from arena.terminal.watching import watching

if TYPE_CHECKING:
    from arena.plan.outlook import Outlook
    from arena.results.run import Run

FORFEITED, OUR_FAULT, INTERRUPTED = 3, 4, 130


class ExecutorName(StrEnum):
    """Where games are played."""

    LOCAL = "local"
    SERIAL = "serial"
    DASK = "dask"


WorkersOption = Annotated[int, typer.Option(min=0, max=1024, help="Worker processes; 0: one for each core.")]
IsolationChoice = Annotated[
    Isolation | None,
    typer.Option(help="Run bots in a sandbox or in the workers; by default as the file says."),
]
ExecutorOption = Annotated[ExecutorName, typer.Option(help="Where games are played.")]
SchedulerOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on the workers of this dask scheduler (--executor dask)."),
]
TlsCaOption = Annotated[
    str | None, typer.Option("--tls-ca", metavar="FILE", help="The certificate that signed the scheduler's.")
]
TlsCertOption = Annotated[
    str | None, typer.Option("--tls-cert", metavar="FILE", help="The certificate of this command.")
]
TlsKeyOption = Annotated[str | None, typer.Option("--tls-key", metavar="FILE", help="Its private key.")]
ResultsOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Where run folders are kept.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
ConfigArgument = Annotated[str, typer.Argument(metavar="CONFIG", help="A tournament file.")]
SeedOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Another seed than the file's; without --name, results go to NAME-N."),
]
RunNameOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="Another name for the run folder than the file's.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what would be played, and play nothing.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Exit with 3 if a bot forfeited.")]
NoAuditOption = Annotated[
    bool, typer.Option("--no-audit", help="Skip the audit, which plays some games again.")
]
NoGradesOption = Annotated[bool, typer.Option("--no-grades", help="Do not grade moves against perfect play.")]
NoReportOption = Annotated[bool, typer.Option("--no-report", help="Write no page for a browser.")]
AgainOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ENDING|BOT", help="Play games with this ending or of this bot again; may be repeated."
    ),
]


def run(
    config: ConfigArgument,
    workers: WorkersOption = 0,
    isolation: IsolationChoice = None,
    executor: ExecutorOption = ExecutorName.LOCAL,
    results: ResultsOption = None,
    seed: SeedOption = None,
    name: RunNameOption = None,
    quiet: QuietOption = False,
    dry_run: DryRunOption = False,
    strict: StrictOption = False,
    no_audit: NoAuditOption = False,
    no_grades: NoGradesOption = False,
    no_report: NoReportOption = False,
    again: AgainOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Play what is missing of a tournament, and print its standings."""
    from arena.executors.cluster import Cluster
    from arena.plan.outlook import Options, look_ahead, read_checked
    from arena.runs import play, prepare

    words = tuple(again or ())
    cluster = Cluster(scheduler or "", tls_ca or "", tls_cert or "", tls_key or "")
    where = ExecutorName.DASK if scheduler else executor
    options = Options(
        workers, isolation, where, results, words, not no_audit, not no_grades, seed, name, cluster
    )
    if dry_run:
        _show_outlook(look_ahead(config, options), format)
        return
    prepare(options)
    tournament = read_checked(config, options)
    try:
        with watching(quiet, tournament.secret) as watch:
            played = play(tournament, options, watch)
    except KeyboardInterrupt:
        raise say_stopped() from None
    _finish(played, strict, quiet, format, not no_report)


def _show_outlook(outlook: Outlook, format: PlainFormat) -> None:
    from arena.answers.runs import tell_outlook
    from arena.reports.outlook import say_outlook

    if format is PlainFormat.JSON:
        print_json(tell_outlook(outlook))
    else:
        print("\n".join(map(for_terminal, say_outlook(outlook))))


def say_stopped() -> typer.Exit:
    """Say that Ctrl-C has cost nothing, and return the exit to raise."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are already stopping
    print("stopped; finished games are kept, and the same command goes on from there", file=sys.stderr)
    return typer.Exit(INTERRUPTED)


def _finish(run: Run, strict: bool, quiet: bool, format: PlainFormat, has_report: bool = True) -> None:
    _print(run, quiet, format, has_report)
    code = _exit_code(run, strict)
    if code:
        raise typer.Exit(code)


def _print(run: Run, quiet: bool, format: PlainFormat, has_report: bool) -> None:
    from arena.answers.runs import tell_run
    from arena.reports.showing import leaderboard

    if format is PlainFormat.JSON:
        print_json(tell_run(run, write_page(run, quiet) if has_report else None))
        return
    print(leaderboard(run, width=screen_width()))
    print("\n" + for_terminal(f"results are in {run.folder}/"))
    if has_report:
        show_page(run, quiet)


def _exit_code(run: Run, strict: bool) -> int:
    from arena.referee.endings import Ending

    with run.log() as log:
        if log.voids:
            return OUR_FAULT
    has_forfeits = bool((run.counts["ending"] != Ending.NO_MOVES.value).any())
    return FORFEITED if strict and has_forfeits else 0
