"""Finds what a path with wildcards stands for: like `glob`, but without following links, and within limits.

`glob` follows links: a link to its own folder makes `**` list everything forty times, and two such links make
it run for ever. Here a wildcard never goes through a link; what the link leads to is found at its own place.
A link at the end is found like any other file, and the reader refuses it. Links that the path names are
followed.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from arena.errors import BotFileError, printable

MOST_SEEN = 20_000
"""The most files and folders that are looked at for one path."""

MOST_DEPTH = 16
"""How many nested folders `**` may stand for."""


def matching(pattern: str, base: Path) -> set[Path]:
    """Return what a pattern stands for; relative patterns start at `base`. BotFileError if it is too much."""
    search = _Search(pattern, base)
    found = {Path()}
    parts = Path(pattern).parts
    for number, part in enumerate(parts, 1):
        is_last = number == len(parts) and not pattern.endswith("/")
        found = {more for place in found for more in search.step(place, part, is_last)}
    return found - {Path()}


class _Search:
    def __init__(self, pattern: str, base: Path) -> None:
        self._pattern = pattern
        self._base = base
        self._seen = 0

    def step(self, place: Path, part: str, is_last: bool) -> Iterator[Path]:
        """Yield what one part of the pattern stands for in a folder; only the last part may be a file."""
        if part == "**":
            yield from self._below(place, is_last)
        elif glob.has_magic(part):
            for entry in self._entries(place):
                is_hidden = entry.name.startswith(".") and not part.startswith(".")
                if (is_last or _is_folder(entry)) and not is_hidden and fnmatchcase(entry.name, part):
                    yield place / entry.name
        elif os.path.lexists(self._base / place / part):
            yield place / part

    def _below(self, top: Path, is_last: bool) -> Iterator[Path]:
        """Yield a folder and all folders in it, with their files if this is the last part."""
        yield top
        waiting = [(top, 0)]
        while waiting:
            place, depth = waiting.pop()
            for entry in self._entries(place) if depth < MOST_DEPTH else ():
                if entry.name.startswith("."):
                    continue
                if _is_folder(entry):
                    waiting.append((place / entry.name, depth + 1))
                    yield place / entry.name
                elif is_last:
                    yield place / entry.name

    def _entries(self, place: Path) -> Iterator[os.DirEntry[str]]:
        """Yield what is in a folder; nothing if it is not a folder, or may not be read."""
        try:
            with os.scandir(self._base / place) as entries:
                for entry in entries:
                    self._seen += 1
                    if self._seen > MOST_SEEN:
                        raise self._too_much()
                    yield entry
        except OSError:
            return

    def _too_much(self) -> BotFileError:
        shown = printable(self._pattern, 200)
        return BotFileError(f"'{shown}' leads to more than {MOST_SEEN:,} files; give a more exact path")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether it is a folder, and not a link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
