"""The command line: each command reads, calls and prints, and decides nothing itself.

Command modules import heavy packages only inside the functions that use them, so that `arena --help`
stays quick. Only here does it become the exit code whose fault an error is: 1 the user's, 4 our own.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import Annotated

import typer

import arena
from arena.cli import (
    board,
    bot,
    bots,
    doctor,
    export,
    init,
    play,
    replay,
    report,
    results,
    rules,
    run,
    serve,
    solve,
    token,
    versus,
)
from arena.cli.completion import prepare_completion
from arena.errors import FileMistakes, UserError
from arena.plaintext import for_terminal
from arena.terminal.output import make_output_printable

app = typer.Typer(
    add_completion=False,  # `completion` does it, at no cost
    rich_markup_mode=None,  # rich help costs 80 ms at every start
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("leaderboard")(results.leaderboard)
app.command("crosstable")(results.crosstable)
app.command("bot")(bot.bot)
app.command("games")(results.games)
app.command("replay")(replay.replay)
app.command("rerun")(replay.rerun)
app.command("report")(report.report)
app.command("serve")(serve.serve)
app.command("token")(token.token)
app.command("digest")(results.digest)
app.command("verify")(results.verify)
app.command("diff")(results.diff)
app.command("merge")(results.merge)
app.command("export")(export.export)
app.command("init")(init.init)
app.command("variants")(rules.variants)
app.command("rules")(rules.rules)
app.command("board")(board.board)
app.command("solve")(solve.solve)
app.command("play")(play.play)
app.command("versus")(versus.versus)
app.command("new")(bots.new)
app.command("check")(bots.check)
app.command("submit")(bots.submit)
app.command("bots")(bots.bots)
app.command("doctor")(doctor.doctor)


def _version(is_asked: bool) -> None:
    if is_asked:
        print(arena.__version__)
        raise typer.Exit


@app.callback()
def _arena(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Tournaments for bots of small two-player games in which the player who cannot move loses."""


def main() -> None:
    """Run the command line and exit with its exit code."""
    # For small matrices more threads only cost time, and ratings must not depend on their number.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    make_output_printable(sys.argv[1:])
    prepare_completion()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except FileMistakes as mistakes:
        sys.exit(_complain("\n".join(map(for_terminal, mistakes.mistakes)), 1))
    except UserError as error:
        sys.exit(_complain(for_terminal(f"arena: {error}"), 1))
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # discard what is still unwritten
            sys.exit(_complain("arena: the output cannot be written: the disk is full", 1))
        sys.exit(_complain(traceback.format_exc() + "arena: this is a bug in arena; please report it", 4))


def _complain(text: str, code: int) -> int:
    print(text, file=sys.stderr)
    return code
