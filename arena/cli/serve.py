"""`arena serve`: the runs of a folder as web pages, live; with a tournament file also a contest."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.run import INTERRUPTED, WorkersOption
from arena.errors import UserError
from arena.plaintext import for_terminal

if TYPE_CHECKING:
    from arena.contest.playing import Contest

ConfigArgument = Annotated[
    str | None,
    typer.Argument(metavar="CONFIG", help="A tournament file: play it, and let bots be handed in."),
]
ResultsOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The folder with the run folders; by default results/."),
]
HostOption = Annotated[
    str, typer.Option(metavar="HOST", help="Where it can be reached: this machine alone, unless you say so.")
]
PortOption = Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")]
PublicUrlOption = Annotated[
    str,
    typer.Option(
        metavar="URL", help="The address that readers type, if it is another one, as behind a proxy."
    ),
]
NoPlayOption = Annotated[bool, typer.Option("--no-play", help="Let nobody play against the bots.")]
NoSolveOption = Annotated[bool, typer.Option("--no-solve", help="Solve no positions for readers.")]

OPEN = """\
this server can be reached from other machines, without a password and without encryption: whoever reaches it
can read every run in {results}/"""


def serve(
    config: ConfigArgument = None,
    results: ResultsOption = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    public_url: PublicUrlOption = "",
    workers: WorkersOption = 0,
    no_play: NoPlayOption = False,
    no_solve: NoSolveOption = False,
) -> None:
    """Show the runs of a folder in a browser, live while `arena run` plays them; readers can play too.

    With a tournament file it plays that one itself, always sandboxed, and takes bots for it.
    """
    from arena.config.entries import from_here
    from arena.tournament.stopping import STOPPING

    try:
        from arena.web.names import is_loopback
        from arena.web.playing import Switches
        from arena.web.serving import serve as serve_runs

        if config is not None:
            import arena.web.hosting  # noqa: F401 - which needs one package more
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("python_multipart", "starlette", "uvicorn"):
            raise
        raise UserError(
            f"serve: {error.name} is not installed; `pip install 'lastmove[web]'` does it, "
            "or `pip install '.[web]'` in a checkout"
        ) from None
    contest = None if config is None else _open_contest(config, results, workers)
    shown = results or (Path("results") if contest is None else from_here(contest.folder.parent))
    if not is_loopback(host):
        print(for_terminal(f"arena: {OPEN.format(results=shown)}"), file=sys.stderr)

    def tell(address: str) -> None:
        print(for_terminal(f"serving the runs of {shown}/ at {address}"))
        if contest is not None:
            print(for_terminal(f"{contest.tournament} is played, and bots for it are taken"))
        print("Ctrl-C ends it", flush=True)

    for number in STOPPING:  # also where a shell has told us to ignore Ctrl-C, as it does behind `&`
        signal.signal(number, signal.default_int_handler)
    try:
        serve_runs(shown, host, port, public_url, tell, Switches(not no_play, not no_solve), contest)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are already stopping
        raise typer.Exit(INTERRUPTED) from None


def _open_contest(config: str, results: Path | None, workers: int) -> Contest:
    """Return the contest of a tournament file."""
    from arena.contest.playing import Contest
    from arena.plan.outlook import Options
    from arena.runs import prepare

    options = Options(workers=workers, results=results)
    prepare(options)
    return Contest(Path(config), options, _warn)


def _warn(sentence: str) -> None:
    """Say what is wrong with a contest, and since when: who looks at the terminal does it days later."""
    print(for_terminal(f"arena: {time.strftime('%Y-%m-%d %H:%M')}: {sentence}"), file=sys.stderr, flush=True)
