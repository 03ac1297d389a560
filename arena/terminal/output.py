"""The way out: everything that a command prints leaves as printable lines.

Every place that shows a stranger's text makes it harmless for its format. This stream is for a place that
forgets, and for texts of many lines, such as a rule book's words. It lets printable characters and newlines
through and shows everything else as escapes, whether a command, typer or a library wrote it. The progress bar
is the exception: it is drawn with escape sequences, on the stream below this one, from texts that were made
printable before.

On a terminal the stream also breaks lines at words, where a terminal would break them anywhere; and on one
that has ASCII only, brackets are drawn with `+ - |`. What scripts read (`--format json`, `csv` and so on) is
not broken even there: somebody may copy it. In a pipe nothing is broken.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import NoReturn, TextIO, cast

from arena.plaintext import for_lines
from arena.reports.screen import wrap_lines

DRAWN = str.maketrans("─│┐┘├", "-|+++")
"""The signs that brackets are drawn with, as ASCII has them."""

FOR_PEOPLE = "table"
"""The format that is broken at words to fit a terminal."""

USUAL_WIDTH = 80

NOBODY_READS = 141
"""The exit code when nobody reads the output any more: that of other tools, which SIGPIPE (13) ends."""


class PrintableStream(io.TextIOBase):
    """A text stream on top of another that shows what is not printable as escapes.

    It has no `buffer`: bytes would go around it.
    """

    def __init__(self, below: TextIO, is_wrapped: bool = True) -> None:
        self.below = below
        self._is_wrapped = is_wrapped and below.isatty()
        self._is_within_line = False
        self._drawn = {} if _can_draw(below) else DRAWN

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the stream below; `input` and typer ask for it."""
        return self.below.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What the stream below does with characters that its encoding lacks."""
        return self.below.errors

    def write(self, text: str, /) -> int:
        """Write a text as printable lines, which fit the terminal; return its length."""
        shown = for_lines(text).translate(self._drawn) if self._drawn else for_lines(text)
        try:
            self.below.write(self._wrap(shown) if self._is_wrapped else shown)
        except BrokenPipeError:
            self._leave()
        return len(text)

    def _wrap(self, text: str) -> str:
        """Return a text broken at words, but for the rest of a line whose beginning was written before."""
        rest, newline, lines = text.partition("\n") if self._is_within_line else ("", "", text)
        self._is_within_line = not text.endswith("\n") and bool(text or self._is_within_line)
        return rest + newline + wrap_lines(lines, width_of(self.below))

    def flush(self) -> None:
        """Write everything out."""
        try:
            self.below.flush()
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> NoReturn:
        """End quietly: whoever read from the pipe, such as `head`, has seen enough.

        Here and not in `main`, because typer would catch the error before and exit with 1.
        """
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.below.fileno())  # for what is still unwritten
        raise SystemExit(NOBODY_READS)

    def fileno(self) -> int:
        """Return the number of the file below."""
        return self.below.fileno()

    def isatty(self) -> bool:
        """Whether a person watches."""
        return self.below.isatty()

    def writable(self) -> bool:
        """Always true."""
        return True


def make_output_printable(words: Sequence[str] = ()) -> None:
    """Put such a stream over standard output and standard error, for the rest of the process.

    `words` are those of the command: they say whether people or scripts read the output.
    """
    sys.stdout, sys.stderr = _printable(sys.stdout, is_for_people(words)), _printable(sys.stderr)


def is_for_people(words: Sequence[str]) -> bool:
    """Whether a command was asked for no other format than the one for people."""
    flat = " ".join(words).replace("--format=", "--format ").split()
    return all(after == FOR_PEOPLE for word, after in pairwise(flat) if word == "--format")


def screen_width() -> int | None:
    """Return how many characters fit on a line of the terminal; None if the output is not a terminal."""
    return width_of(sys.stdout) if sys.stdout.isatty() else None


def width_of(stream: TextIO) -> int:
    """Return how many characters fit on a line of a stream's terminal; COLUMNS, if it is set, decides."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(stream.fileno()).columns or USUAL_WIDTH
    except (OSError, ValueError):
        return USUAL_WIDTH


def _printable(stream: TextIO | None, is_wrapped: bool = True) -> TextIO:
    if isinstance(stream, io.TextIOWrapper):
        # Characters that the terminal's encoding lacks are shown as escapes too.
        encoding = "ascii" if stream.isatty() and _is_ascii_locale() else None
        stream.reconfigure(encoding=encoding, errors="backslashreplace")
    if stream is None or isinstance(stream, PrintableStream):
        return cast(TextIO, stream)
    return cast(TextIO, PrintableStream(stream, is_wrapped))


def _is_ascii_locale() -> bool:
    """Whether the user has set the locale C, for which Python writes UTF-8 nevertheless.

    Python sets LC_CTYPE to C.UTF-8 itself then, so that what it says is not the user's word.
    """
    if os.environ.get("PYTHONUTF8") or os.environ.get("PYTHONIOENCODING"):
        return False
    ours = {"", "C.UTF-8"}
    said = [os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    return next((word for word in said if word not in ours), "") in ("C", "POSIX")


def _can_draw(stream: TextIO) -> bool:
    """Whether an encoding has the signs that brackets are drawn with."""
    try:
        "".join(map(chr, DRAWN)).encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def stream_below(stream: TextIO) -> TextIO:
    """Return the stream that passes escape sequences on, for drawing with them."""
    return stream.below if isinstance(stream, PrintableStream) else stream
