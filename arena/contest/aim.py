"""What a contest should be playing: it follows from the book and the tournament file, and from nothing else.

So nobody has to be told that something has changed. The book is asked every quarter of a second whether
anybody has written to it, which costs microseconds, and is read only then.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from arena.contest.book import Book
from arena.contest.deeds import stand_after


class Aim(NamedTuple):
    """What should be played; another one if that has changed."""

    uploads: tuple[int, ...]  # the bots that have entered, in order
    deeds: int  # of the organiser
    is_paused: bool
    is_closed: bool
    file: tuple[int, ...]  # what the tournament file was when it was last looked at
    is_checking: bool = False  # whether uploads that came before it was closed still wait for their check

    @property
    def is_last(self) -> bool:
        """Whether nobody can enter any more."""
        return self.is_closed and not self.is_checking


class Sight:
    """Looks at the book of a contest and at its file."""

    def __init__(self, book: Book, tournament: str, config: Path) -> None:
        self._book, self._tournament, self._config = book, tournament, config
        self._last: tuple[object, Aim] | None = None
        self.waiting = 0
        """Uploads that are not checked yet, when it was last looked."""

    def look(self) -> Aim:
        """Return what should be played now; StoreError if the book cannot be read. Any thread may ask."""
        file = _look_at(self._config)
        seen = self._book.state, file
        last = self._last
        if last is None or last[0] != seen:
            self._last = last = seen, self._read(file)
        return last[1]

    def _read(self, file: tuple[int, ...]) -> Aim:
        book, name = self._book, self._tournament
        self.waiting = book.count_waiting(name)
        uploads = tuple(each.id for each in book.entered_uploads(name))
        deeds = book.deeds(name)
        standing = stand_after(deeds)
        is_checking = standing.is_closed and self.waiting > 0
        return Aim(uploads, len(deeds), standing.is_paused, standing.is_closed, file, is_checking)


def _look_at(file: Path) -> tuple[int, ...]:
    try:
        stat = os.stat(file)
    except OSError:
        return ()
    return stat.st_ino, stat.st_size, stat.st_mtime_ns
