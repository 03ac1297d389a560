"""A real terminal for tests: a command runs in a pseudo-terminal of a given size, and a picture is taken.

`look` returns what a command printed there. `Picture` is what then stands on the glass: it knows as much of a
terminal as the live view of a run uses.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.cli.command import ARENA, plain, ready

LINES = 24


def look(cwd: Path, width: int, *words: str) -> str:
    """Run a command in a terminal of this width; return what it printed, with plain newlines."""
    reader, theirs = _open(width)
    with ThreadPoolExecutor(1) as beside:  # a terminal takes little before somebody reads
        printed = beside.submit(read, reader)
        try:
            ready().run_on([theirs] * 3, [*words], cwd, _environment(), 60)
        finally:
            os.close(theirs)
        return printed.result().replace("\r\n", "\n")


def start(cwd: Path, width: int, *words: str, **env: str) -> tuple[subprocess.Popen[bytes], int]:
    """Start a command in a terminal of this width; return its process and the other end of the terminal."""
    reader, theirs = _open(width)
    process = subprocess.Popen(
        [ARENA, *words],
        cwd=cwd,
        env=_environment() | env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        # So that Ctrl-C is a signal there.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - it does nothing that may wait
    )
    os.close(theirs)
    return process, reader


def _open(width: int) -> tuple[int, int]:
    reader, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, width, 0, 0))
    return reader, theirs


def _environment() -> dict[str, str]:
    return {name: value for name, value in plain().items() if name != "COLUMNS"} | {"TERM": "xterm"}


def read(reader: int, is_enough: Callable[[str], bool] = lambda _: False) -> str:
    """Return what is printed until the command ends, or until there is enough."""
    text = b""
    try:
        while (more := os.read(reader, 65536)) and not is_enough(text.decode(errors="replace")):
            text += more
    except OSError:  # how Linux says that nobody has the terminal open any more
        more = b""
    if not more:
        os.close(reader)
    return (text + more).decode(errors="replace")


class Picture:
    """The lines of a terminal after a text was written to it; they are never scrolled away."""

    def __init__(self, width: int, text: str) -> None:
        self.lines = [""]
        self._width, self._row, self._column = width, 0, 0
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]|[^\x1b\r\n]", text):
            self._write(part)

    def _write(self, part: str) -> None:
        if part == "\r":
            self._column = 0
        elif part == "\n":
            self._row, self._column = self._row + 1, self._column
        elif part.startswith("\x1b"):
            self._obey(part)
        else:
            self._put(part)
        self.lines += [""] * (self._row + 1 - len(self.lines))

    def _obey(self, code: str) -> None:
        if code.endswith("A"):
            self._row = max(0, self._row - int(code[2:-1] or 1))
        elif code == "\x1b[2K":
            self.lines[self._row] = ""

    def _put(self, sign: str) -> None:
        if self._column == self._width:  # only now, as terminals do
            self._row, self._column = self._row + 1, 0
            self.lines += [""] * (self._row + 1 - len(self.lines))
        line = self.lines[self._row].ljust(self._column)
        self.lines[self._row] = line[: self._column] + sign + line[self._column + 1 :]
        self._column += 1
