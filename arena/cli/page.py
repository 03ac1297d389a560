"""The page of a run that a command has just played, with a sign while it is written.

The tables are there already, so nothing that happens here makes a failure of a run: a page that cannot be
written, or that the user does not want to wait for, is a sentence.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from arena.plaintext import for_terminal
from arena.terminal.sign import signing

if TYPE_CHECKING:
    from arena.results.run import Run


def write_page(run: Run, quiet: bool) -> Path | None:
    """Write the page of a run into its folder; None, and a sentence on stderr, if it did not come to that."""
    from arena.pages.report import NAME, write_report
    from arena.results.finding import name_run

    file = run.folder / NAME
    try:
        with nullcontext() if quiet else signing(f"writing {NAME}; Ctrl-C goes on without it"):
            return write_report(run)
    except KeyboardInterrupt:
        why = "stopped"
    except OSError as error:
        why = error.strerror or str(error)
    said = f"{file} was not written ({why}); `arena report {name_run(run.folder)}` writes it"
    print(for_terminal(said), file=sys.stderr)
    return None


def show_page(run: Run, quiet: bool) -> None:
    """Write the page of a run below what was printed, which nobody waits for any more, and name it."""
    sys.stdout.flush()
    page = write_page(run, quiet)
    if page is not None:
        print(for_terminal(f"open {page} in a browser to look at them"))
