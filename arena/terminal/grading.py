"""A run whose games are graded before it is shown, with a sign that this goes on."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from arena.terminal.output import stream_below

if TYPE_CHECKING:
    from arena.results.run import Run

SOON_SECONDS, LINE_SECONDS = 1.0, 10.0
WAY_OUT = "; Ctrl-C goes on without the rest"
CLEAR_LINE = "\r\x1b[K"


def find_graded(text: str | None) -> Run:
    """Return a run with all its grades; after Ctrl-C with those that there are."""
    from arena.results.finding import find_run
    from arena.results.grading import grade
    from arena.results.run import Run

    found, sign = find_run(text), _Sign()
    try:
        grade(found.folder, sign.show)
    except KeyboardInterrupt:
        sign.clear()
        print("grading was stopped; the same command goes on with it", file=sys.stderr)
        return Run(found.folder, is_whole=False)
    sign.clear()
    return found


class _Sign:
    """How far grading is: one line that is written again on a terminal; elsewhere a line now and then."""

    def __init__(self) -> None:
        self._shown_at = time.monotonic()
        self._wait = SOON_SECONDS  # before the next line where there is no terminal
        self._is_there = False

    def show(self, done: int, of: int) -> None:
        """Show it, unless it comes too soon."""
        words = f"grading {done:,} of {of:,} games against perfect play"
        waited = time.monotonic() - self._shown_at
        if sys.stderr.isatty() and (self._is_there or waited > SOON_SECONDS):
            self._write(f"{CLEAR_LINE}{words}{WAY_OUT}")
            self._is_there = True
        elif not sys.stderr.isatty() and waited > self._wait:
            self._shown_at, self._wait = time.monotonic(), LINE_SECONDS
            print(words, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line off the screen."""
        if self._is_there:
            self._write(CLEAR_LINE)

    def _write(self, text: str) -> None:
        """Write below the stream that makes output printable, which would spell out what moves the cursor."""
        stream = stream_below(sys.stderr)
        stream.write(text)
        stream.flush()
