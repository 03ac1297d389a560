"""The way out: everything that a command prints leaves as printable lines.

Every place that shows a stranger's text makes it harmless for its format. This stream is for a place that
forgets, and for texts of many lines, such as a rule book's words. It lets printable characters and newlines
through and shows everything else as escapes, whether a command, typer or a library wrote it. The progress bar
is the exception: it is drawn with escape sequences, on the stream below this one, from texts that were made
printable before.
"""

from __future__ import annotations

import io
import sys
from typing import TextIO, cast

from arena.plaintext import for_lines


class PrintableStream(io.TextIOBase):
    """A text stream on top of another that shows what is not printable as escapes.

    It has no `buffer`: bytes would go around it.
    """

    def __init__(self, below: TextIO) -> None:
        self.below = below

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the stream below; `input` and typer ask for it."""
        return self.below.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What the stream below does with characters that its encoding lacks."""
        return self.below.errors

    def write(self, text: str, /) -> int:
        """Write a text as printable lines; return its length."""
        self.below.write(for_lines(text))
        return len(text)

    def flush(self) -> None:
        """Write everything out."""
        self.below.flush()

    def fileno(self) -> int:
        """Return the number of the file below."""
        return self.below.fileno()

    def isatty(self) -> bool:
        """Whether a person watches."""
        return self.below.isatty()

    def writable(self) -> bool:
        """Always true."""
        return True


def make_output_printable() -> None:
    """Put such a stream over standard output and standard error, for the rest of the process."""
    sys.stdout, sys.stderr = _printable(sys.stdout), _printable(sys.stderr)


def _printable(stream: TextIO | None) -> TextIO:
    if isinstance(stream, io.TextIOWrapper):
        # Characters that the terminal's encoding lacks are shown as escapes too.
        stream.reconfigure(errors="backslashreplace")
    if stream is None or isinstance(stream, PrintableStream):
        return cast(TextIO, stream)
    return cast(TextIO, PrintableStream(stream))


def stream_below(stream: TextIO) -> TextIO:
    """Return the stream that passes escape sequences on, for drawing with them."""
    return stream.below if isinstance(stream, PrintableStream) else stream
