"""`arena run`: plays what is missing of a tournament, shows progress, prints standings."""

from __future__ import annotations

import signal
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.bots import Isolation
from arena.cli.output import screen_width
from arena.plaintext import for_terminal

if TYPE_CHECKING:
    from collections.abc import Collection
    from contextlib import AbstractContextManager

    from arena.results.run import Run
    from arena.tournament.watch import Watch

FORFEITED, OUR_FAULT, INTERRUPTED = 3, 4, 130


class ExecutorName(StrEnum):
    """Where games are played."""

    LOCAL = "local"
    SERIAL = "serial"


WorkersOption = Annotated[int, typer.Option(min=0, max=1024, help="Worker processes; 0: one for each core.")]
IsolationChoice = Annotated[
    Isolation | None,
    typer.Option(help="Run bots in a sandbox or in the workers; by default as the file says."),
]
ExecutorOption = Annotated[ExecutorName, typer.Option(help="Where games are played.")]
ResultsOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Where run folders are kept.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
ConfigArgument = Annotated[str, typer.Argument(metavar="CONFIG", help="A tournament file.")]


def run(
    config: ConfigArgument,
    workers: WorkersOption = 0,
    isolation: IsolationChoice = None,
    executor: ExecutorOption = ExecutorName.LOCAL,
    results: ResultsOption = None,
    quiet: QuietOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played, and play nothing.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 3 if a bot forfeited.")] = False,
    no_audit: Annotated[
        bool,
        typer.Option("--no-audit", help="Skip the audit, which plays a sample of the games again."),
    ] = False,
    no_grades: Annotated[
        bool, typer.Option("--no-grades", help="Do not grade moves against perfect play.")
    ] = False,
    again: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ENDING|BOT", help="Play games with this ending or of this bot again; may be repeated."
        ),
    ] = None,
) -> None:
    """Play what is missing of a tournament, and print its standings."""
    from arena.plan.outlook import Options, look_ahead, read_checked
    from arena.reports.outlook import say_outlook
    from arena.runs import play

    words = tuple(again or ())
    options = Options(workers, isolation, executor, results, words, not no_audit, not no_grades)
    if dry_run:
        print("\n".join(map(for_terminal, say_outlook(look_ahead(config, options)))))
        return
    tournament = read_checked(config, options)
    try:
        with watching(quiet, tournament.secret) as watch:
            played = play(tournament, options, watch)
    except KeyboardInterrupt:
        raise say_stopped() from None
    _finish(played, strict)


def say_stopped() -> typer.Exit:
    """Say that Ctrl-C has cost nothing, and return the exit to raise."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are already stopping
    print("stopped; finished games are kept, and the same command goes on from there", file=sys.stderr)
    return typer.Exit(INTERRUPTED)


def _finish(run: Run, strict: bool) -> None:
    from arena.reports.showing import leaderboard

    print(leaderboard(run, width=screen_width()))
    print("\n" + for_terminal(f"results are in {run.folder}/"))
    code = _exit_code(run, strict)
    if code:
        raise typer.Exit(code)


def _exit_code(run: Run, strict: bool) -> int:
    from arena.referee.endings import Ending

    with run.log() as log:
        if log.voids:
            return OUR_FAULT
    has_forfeits = bool((run.counts["ending"] != Ending.NO_MOVES.value).any())
    return FORFEITED if strict and has_forfeits else 0


def watching(quiet: bool, secret: Collection[str] = ()) -> AbstractContextManager[Watch]:
    """Return the watcher of a run: a bar on a terminal, plain lines in a pipe, or nothing.

    Winners on `secret` variants are not shown.
    """
    from contextlib import nullcontext

    from arena.cli.progress import Lines, Screen, Tally

    if quiet:
        return nullcontext(Tally())
    return Screen(secret) if sys.stderr.isatty() else nullcontext(Lines(secret))
