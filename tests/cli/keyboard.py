"""A real terminal for a command: what a person sees, and what is typed."""

import contextlib
import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

from tests.cli.command import ARENA, plain


def hear_interrupts():
    """Tests that run in the background ignore Ctrl-C, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, *words: str, cwd: Path, **variables: str) -> None:
        self._keyboard, screen = pty.openpty()
        self.process = subprocess.Popen(
            [ARENA, *words],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            cwd=cwd,
            env=plain() | {"TERM": "dumb"} | variables,
            preexec_fn=hear_interrupts,  # noqa: PLW1509 - there are no threads here
        )
        os.close(screen)
        self.shown = ""

    def until(self, text: str, seconds: float = 30) -> str:
        """Read until the text has appeared; return what was shown up to its end, and forget that."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} did not come; there is {self.shown!r}"
            self._read(0.1)
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def stays_silent(self, seconds: float = 0.3) -> bool:
        """Whether nothing more appears for some time."""
        before = self.shown
        self._read(seconds)
        return self.shown == before

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._keyboard, f"{text}\n".encode())

    def end(self) -> tuple[int, str]:
        """Wait for the command's end; return its exit code and the rest of what it showed."""
        while self.process.poll() is None:
            self._read(0.05)
        self._read(0.05)
        os.close(self._keyboard)
        return self.process.returncode, self.shown

    def _read(self, seconds: float) -> None:
        with contextlib.suppress(OSError):  # the command has ended, and the terminal with it
            while select.select([self._keyboard], [], [], seconds)[0]:
                data = os.read(self._keyboard, 65536)
                self.shown += data.decode(errors="replace").replace("\r\n", "\n")
                seconds = 0
