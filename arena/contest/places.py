"""Where a bot stands in a contest, for its author: it waits, it has played so many games, it is third."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from arena.contest.aim import Aim
from arena.contest.book import Book
from arena.contest.deeds import say_withdrawn
from arena.contest.hosted import Place
from arena.formats import FORMATS
from arena.log.door import LOG
from arena.log.reading import Log
from arena.results.earlier import read_earlier
from arena.results.run import Run

WAITS = "waits for its games"
PAUSED = "the organiser has paused the contest"
AWAY = "does not play in this tournament"
SHARED_SECONDS = 1.0
"""So long an answer serves all who follow their bots: to count 35,000 games takes some time."""

Counts = Mapping[tuple[str, str], tuple[int, int]]
"""By name and version of a bot: how many games it has, and how many of them it has played.

Games on secret variants are not counted before the end: they are not in the table either, and nobody is to
learn how many there are.
"""


class Places:
    """The ranks after the last sitting that came to its end; any thread may ask."""

    def __init__(self, folder: Path, book: Book, tournament: str) -> None:
        self._folder, self._book, self._tournament = folder, book, tournament
        self._settled: frozenset[int] = frozenset()  # uploads all of whose games were played
        self._sentences: dict[str, str] = {}
        self._lock = threading.Lock()
        self._counts: Counts = {}
        self._counted_at = -SHARED_SECONDS

    def settle(self, aim: Aim) -> None:
        """Note how everybody stands, now that all games are played; called by who plays."""
        run = Run(self._folder, is_whole=False)
        standings, earlier = run.standings(), read_earlier(run)
        before = earlier.ranks if earlier is not None else {}
        rows = zip(standings["bot"], standings["rank"], standings["games"], strict=True)
        self._sentences = {
            bot: _say_rank(int(rank), len(standings), before.get(bot))
            if games
            else _say_left_out(run.field.format)
            for bot, rank, games in rows
        }
        self._settled = frozenset(aim.uploads)

    def find(self, name: str) -> Place:
        """Return where a bot that has entered stands now, in a sentence that begins with its name."""
        sentence, is_settled = self._find(name)
        return Place(f"{name} {sentence}", is_settled)

    def _find(self, name: str) -> tuple[str, bool]:
        mine = [each for each in self._book.entered_uploads(self._tournament) if each.name == name]
        if not mine:
            return say_withdrawn(self._book.deeds(self._tournament), name) or AWAY, True
        if mine[0].id in self._settled and name in self._sentences:
            return self._sentences[name], True
        planned, played = self._count().get((name, mine[0].version), (0, 0))
        so_far = f"has played {played:,} of {planned:,} games" if planned else WAITS
        is_paused = self._book.standing(self._tournament).is_paused
        return (f"{so_far}: {PAUSED}" if is_paused else so_far), False

    def _count(self) -> Counts:
        """Return how far everybody is; for all who ask within a second it is counted once."""
        with self._lock:
            if time.monotonic() >= self._counted_at + SHARED_SECONDS:
                self._counts = self._read_counts()
                self._counted_at = time.monotonic()
            return self._counts

    def _read_counts(self) -> Counts:
        if not (self._folder / LOG).exists():
            return {}
        with closing(Log(self._folder)) as log:
            if not log.fact("field"):
                return {}  # the first plan is just being written
            hidden = Run(self._folder, is_whole=False).hidden
            counts, versions = log.count_of_bots(hidden), log.field().bots
        return {(bot, version): counts[bot] for bot, version in versions.items() if bot in counts}


def _say_rank(rank: int, of: int, before: int | None) -> str:
    was = "" if before is None or before == rank else f", was {say_place(before)}"
    return f"is {say_place(rank)} of {of}{was}"


def _say_left_out(format: str) -> str:
    """Return what there is to say of a bot without games when all games are played: most came too late."""
    mend = FORMATS[format].too_late
    return f"has played no games, and no round is left; ask the organiser{f': {mend}' * bool(mend)}"


def say_place(rank: int) -> str:
    """Return a rank in words: 1st, 2nd, 3rd, 11th."""
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"
