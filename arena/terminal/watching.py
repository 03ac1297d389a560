"""Who watches a run: a bar on a terminal, plain lines elsewhere, or nobody."""

from __future__ import annotations

import sys
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext

from arena.tournament.watch import Watch


def watching(quiet: bool, secret: Collection[str] = ()) -> AbstractContextManager[Watch]:
    """Return the watcher of a command: a bar on a terminal, lines in a pipe, or what must be said only.

    Winners on `secret` variants are not shown.
    """
    from arena.terminal.progress import Lines, Screen, Tally

    if quiet:
        return nullcontext(Tally())
    return Screen(secret) if sys.stderr.isatty() else nullcontext(Lines(secret))


def watching_from_python(
    progress: bool | None, secret: Collection[str] = ()
) -> AbstractContextManager[Watch]:
    """Return the watcher of `arena.run`; if nothing is said, one for people only."""
    is_shown = is_watched() if progress is None else progress
    return watching(False, secret) if is_shown else nullcontext(Watch())


def is_watched() -> bool:
    """Whether somebody sees what Python writes to stderr while it runs: in a terminal, or in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules
