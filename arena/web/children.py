"""Processes of their own for what readers ask for: our end of the line to a child, which speaks JSON lines.

A child has the lowest priority, so that a tournament on the same machine hardly notices it; it is the first
that the kernel ends when memory runs out; and it ends with the server, however that ends. It can be killed at
any moment: it keeps nothing.

Refused: asyncio's own processes, which need a watcher and a loop that still runs when they are ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import arena
from arena.errors import ArenaError
from arena.leftovers import remove_what_is_left_of
from arena.sandbox.priority import lower

MOST_BYTES = 1 << 20
"""Of an answer."""

PRIORITY = 17
"""What a child begins with: to start Python is the greatest part of what most of them do."""


class ChildLost(ArenaError):  # noqa: N818 - reads as what it says
    """A child has ended, or does not answer."""


class Child:
    """A process that answers one question after the other."""

    def __init__(self, module: str, priority: int = PRIORITY) -> None:
        ours, theirs = socket.socketpair()
        root = os.path.dirname(os.path.dirname(os.path.abspath(arena.__file__)))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-s", "-m", module],
                env={**os.environ, "PYTHONPATH": root},
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,  # Ctrl-C is for the server, which ends it
            )
        lower(self._process.pid, priority)
        ours.setblocking(False)
        self._line, self._rest, self._is_asked = ours, b"", False

    async def ask(self, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer to a question; ChildLost if none comes within these seconds."""
        self._is_asked = True
        try:
            async with asyncio.timeout(seconds):
                return await self._exchange(json.dumps(question).encode() + b"\n")
        except (OSError, TimeoutError) as error:
            raise ChildLost("it does not answer") from error
        finally:
            self._is_asked = False
            if self._process.returncode is not None:
                self._line.close()

    async def _exchange(self, question: bytes) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(self._line, question)
        while b"\n" not in self._rest and len(self._rest) < MOST_BYTES:
            some = await loop.sock_recv(self._line, 1 << 16)
            if not some:
                raise ChildLost("it has ended")
            self._rest += some
        answer, _, self._rest = self._rest.partition(b"\n")
        return dict(json.loads(answer))

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process.poll() is None

    def end(self) -> None:
        """End it at once, with all that it has started; whoever waits for its answer hears of it."""
        if self._process.returncode is not None:
            return
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._process.kill()
        self._process.wait()
        if not self._is_asked:  # else a loop still waits at it, and would wait for ever
            self._line.close()
        remove_what_is_left_of(self._process.pid)
