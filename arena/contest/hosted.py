"""What a hosted contest is to the pages that take uploads: whoever hosts one gives them an object like this.

All of it may be used by several threads at once, and nothing of it may wait long.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple, Protocol

from arena.contest.book import Book
from arena.contest.checks import Checks


class Place(NamedTuple):
    """Where a bot stands: a sentence for its author, and whether that stays until somebody hands in more.

    Such as "waits for its games", then "has played 12 of 40 games", then "is 3rd of 20, was 5th".
    """

    sentence: str
    is_settled: bool


class Contest(Protocol):
    """A tournament that is hosted."""

    @property
    def tournament(self) -> str:
        """Its name, which is that of its run folder and in its addresses."""

    @property
    def folder(self) -> Path:
        """Its run folder, which may not be there yet."""

    @property
    def book(self) -> Book:
        """Where tokens and uploads are kept."""

    @property
    def checks(self) -> Checks:
        """What checks uploads, one after the other."""

    @property
    def own_names(self) -> Collection[str]:
        """The names of the tournament file's bots, which nobody can take."""

    def place_of(self, name: str) -> Place:
        """Return where a bot that has entered stands now."""
