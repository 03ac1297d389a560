"""A connection, as uvicorn has it, with a limit to how long anybody may take to ask.

uvicorn limits how large the head of a request is, but not how long it takes to come: who sends a letter a
minute, or nothing, keeps a connection for ever, and some hundred such connections keep everybody else out
(slowloris). So a head must be whole within some seconds after the connection, or after the last answer, and
what is sent with it within some minutes. Bytes do not make these limits longer.

Who only listens, as readers of news do, is not meant: a request that is whole may be answered for ever.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.web.clients import client_of

HEAD_SECONDS = 15.0
BODY_SECONDS = 300.0

MOST_OF_ONE = 600
"""Connections of one address, half of all there are; a proxy on this machine has all its readers' in one."""

_open: Counter[str] = Counter()


class Line(H11Protocol):
    """A connection that is closed when its head or its body takes too long."""

    _limit: asyncio.TimerHandle | None = None
    _peer = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._peer = client_of({"client": self.client, "headers": []})
        _open[self._peer] += 1
        if _open[self._peer] > MOST_OF_ONE and not _is_here(self._peer):
            transport.abort()
            return
        self._wait(HEAD_SECONDS)

    def handle_events(self) -> None:
        """Take what has come: after a head its body is waited for, and after that nothing."""
        before = self.cycle
        super().handle_events()
        if self.cycle is None or self.cycle.response_complete:
            return  # a head that is not whole, or the rest of something that was answered already
        if not self.cycle.more_body:
            self._wait(None)
        elif self.cycle is not before:
            self._wait(BODY_SECONDS)

    def on_response_complete(self) -> None:
        """Begin to wait for the next head, which may be there already."""
        self._wait(HEAD_SECONDS)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait(None)
        _open[self._peer] -= 1
        if not _open[self._peer]:
            del _open[self._peer]
        super().connection_lost(exc)

    def _wait(self, seconds: float | None) -> None:
        if self._limit is not None:
            self._limit.cancel()
        # What was answered is still sent to its end, however slow the line is.
        self._limit = None if seconds is None else self.loop.call_later(seconds, self.transport.close)


def _is_here(peer: str) -> bool:
    return peer in ("", "::1") or peer.startswith("127.")
