"""A sign that something goes on: one line that is written again on a terminal; elsewhere a line now and then.

What takes less than a second needs none. The words are our own: nothing makes them harmless.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.terminal.output import stream_below, width_of

SOON_SECONDS, LINE_SECONDS = 1.0, 10.0
CLEAR_LINE = "\r\x1b[K"


class Sign:
    """How far something is; `way_out` is added on a terminal, where there is a key for it."""

    def __init__(self, way_out: str = "") -> None:
        self._way_out = way_out
        self._shown_at = time.monotonic()
        self._wait = SOON_SECONDS  # before the next line where there is no terminal
        self._is_there = False

    def show(self, words: str) -> None:
        """Show how far it is, unless it comes too soon."""
        waited = time.monotonic() - self._shown_at
        if sys.stderr.isatty() and (self._is_there or waited > SOON_SECONDS):
            line = f"{words}{self._way_out}"[: width_of(stream_below(sys.stderr)) - 1]
            _write(f"{CLEAR_LINE}{line}")  # a line that breaks could not be taken away again
            self._is_there = True
        elif not sys.stderr.isatty() and waited > self._wait:
            self._shown_at, self._wait = time.monotonic(), LINE_SECONDS
            print(words, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line off the screen."""
        if self._is_there:
            _write(CLEAR_LINE)


@contextmanager
def signing(words: str) -> Iterator[None]:
    """Show on a terminal that something goes on whose length nobody knows, and take it away again."""
    if not sys.stderr.isatty():
        yield
        return
    _write(words[: width_of(stream_below(sys.stderr)) - 1])
    try:
        yield
    finally:
        _write(CLEAR_LINE)


def _write(text: str) -> None:
    """Write below the stream that makes output printable, which would spell out what moves the cursor."""
    stream = stream_below(sys.stderr)
    stream.write(text)
    stream.flush()
