"""A run whose games are graded before it is shown, with a sign that this goes on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arena.terminal.sign import Sign

if TYPE_CHECKING:
    from arena.results.run import Run

WAY_OUT = "; Ctrl-C goes on without the rest"


def find_graded(text: str | None) -> Run:
    """Return a run with all its grades; after Ctrl-C with those that there are."""
    from arena.results.finding import find_run
    from arena.results.grading import grade
    from arena.results.run import Run

    found, sign = find_run(text), Sign(WAY_OUT)
    try:
        grade(found.folder, lambda done, of: sign.show(_say(done, of)))
    except KeyboardInterrupt:
        sign.clear()
        print("grading was stopped; the same command goes on with it", file=sys.stderr)
        return Run(found.folder, is_whole=False)
    sign.clear()
    return found


def _say(done: int, of: int) -> str:
    return f"grading {done:,} of {of:,} games"
