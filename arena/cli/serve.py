"""`arena serve`: the runs of a folder as web pages, live while another process plays."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.run import INTERRUPTED
from arena.errors import UserError
from arena.plaintext import for_terminal

ResultsOption = Annotated[Path, typer.Option(metavar="DIR", help="The folder with the run folders.")]
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
    results: ResultsOption = Path("results"),
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    public_url: PublicUrlOption = "",
    no_play: NoPlayOption = False,
    no_solve: NoSolveOption = False,
) -> None:
    """Show the runs of a folder in a browser, live while `arena run` plays them; readers can play too."""
    try:
        from arena.web.names import is_loopback
        from arena.web.playing import Switches
        from arena.web.serving import serve as serve_runs
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("python_multipart", "starlette", "uvicorn"):
            raise
        raise UserError(
            f"serve: {error.name} is not installed; `pip install 'lastmove[web]'` does it, "
            "or `pip install '.[web]'` in a checkout"
        ) from None
    if not is_loopback(host):
        print(for_terminal(f"arena: {OPEN.format(results=results)}"), file=sys.stderr)

    def tell(address: str) -> None:
        print(for_terminal(f"serving the runs of {results}/ at {address}"))
        print("Ctrl-C ends it", flush=True)

    try:
        serve_runs(results, host, port, public_url, tell, Switches(not no_play, not no_solve))
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are already stopping
        raise typer.Exit(INTERRUPTED) from None
