"""What runs first in every child of a server: it steps back behind all others, and serves one line."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Iterator
from typing import Any

from arena.sandbox.priority import lower

FIRST_TO_GO = "900"
"""Of 1,000: how gladly the kernel ends this process if memory runs out."""


class Line:
    """The child's end of its line: questions in, answers out."""

    def __init__(self) -> None:
        self._socket = socket.socket(fileno=os.dup(0))
        self._lines = self._socket.makefile("rb")

    def questions(self) -> Iterator[dict[str, Any]]:
        """Yield what is asked, until the server is gone."""
        for line in self._lines:
            yield json.loads(line)

    def answer(self, values: dict[str, Any]) -> None:
        """Answer; exit if nobody hears it any more."""
        try:
            self._socket.sendall(json.dumps(values).encode() + b"\n")
        except OSError:
            os._exit(0)


def step_back(nice: int = 0) -> Line:
    """Take a priority as low as this at least, end with the server, and return the line to it."""
    if sys.platform == "linux":
        from arena.sandbox.confine import die_with_parent

        die_with_parent()
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write(FIRST_TO_GO)
    lower(os.getpid(), nice)
    return Line()
