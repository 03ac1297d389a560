"""What the readers of a live page are sent: each change once, made once, for all of them.

A reader who had the last edition is sent what has changed since; any other one the whole. So a slow reader
misses editions, and nothing is kept for it.

A message is compressed once, too. A deflate stream may be put together from pieces that do not refer to each
other (flushed with Z_FULL_FLUSH), so all readers get the same bytes behind a gzip header of their own. The
stream never ends, and has no checksum at its end.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
RETRY_MILLISECONDS = 2_000

News = Mapping[str, Any]
"""The parts of a page by name; `tables` are parts by name once more."""


class Message:
    """Bytes of an event stream, plain and compressed."""

    def __init__(self, plain: bytes) -> None:
        self.plain = plain

    @cached_property
    def packed(self) -> bytes:
        """The same as a piece of a deflate stream."""
        packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        return packer.compress(self.plain) + packer.flush(zlib.Z_FULL_FLUSH)


HEARTBEAT = Message(b": still here\n\n")
"""A comment: it tells whoever is between us and a reader that the line is not dead."""


class Edition:
    """The state of a page, with the number of its change; 0 is nothing yet."""

    def __init__(self, number: int = 0, news: News | None = None, changes: News | None = None) -> None:
        self.number = number
        self._news = news or {}
        self._changes = changes or {}

    def next(self, parts: News) -> Edition:
        """Return the edition in which some parts are new; this one if they are all as they were."""
        changes = _find_changes(self._news, parts)
        if not changes:
            return self
        return Edition(self.number + 1, _put(self._news, parts), changes)

    def since(self, number: int) -> Message:
        """Return what a reader needs who has an edition of this number."""
        return self._short if number == self.number - 1 > 0 else self._whole

    @cached_property
    def _whole(self) -> Message:
        return _write(self._news)

    @cached_property
    def _short(self) -> Message:
        return _write(self._changes)


def _find_changes(old: News, new: News) -> dict[str, Any]:
    changes = {}
    for name, part in new.items():
        if isinstance(part, Mapping):
            if inner := _find_changes(old.get(name, {}), part):
                changes[name] = inner
        elif name not in old or old[name] != part:
            changes[name] = part
    return changes


def _put(old: News, new: News) -> News:
    """Return the parts of both; those of a part, such as the tables, are all replaced."""
    return {**old, **new}


def _write(news: News) -> Message:
    # JSON has no line breaks of its own, so the data of an event is one line.
    return Message(f"retry: {RETRY_MILLISECONDS}\ndata: {json.dumps(news)}\n\n".encode())
