"""Where a bot stands in a contest, for its author: it waits, it has played so many games, it is third."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from arena.contest.aim import Aim
from arena.contest.book import Book
from arena.contest.hosted import Place
from arena.formats import FORMATS
from arena.log.door import LOG
from arena.log.reading import Log
from arena.results.earlier import read_earlier
from arena.results.run import Run

WAITS = "waits for its games"
AWAY = "does not play in this tournament"


class Places:
    """The ranks after the last sitting that came to its end; any thread may ask."""

    def __init__(self, folder: Path, book: Book, tournament: str) -> None:
        self._folder, self._book, self._tournament = folder, book, tournament
        self._settled: frozenset[int] = frozenset()  # uploads all of whose games were played
        self._sentences: dict[str, str] = {}

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
            return AWAY, True
        if mine[0].id in self._settled and name in self._sentences:
            return self._sentences[name], True
        if not (self._folder / LOG).exists():
            return WAITS, False
        with closing(Log(self._folder)) as log:
            if not log.fact("field"):
                return WAITS, False  # the first plan is just being written
            if log.field().bots.get(name) != mine[0].version:
                return WAITS, False
            planned, played = log.count_of(name)
        return f"has played {played:,} of {planned:,} games" if planned else WAITS, False


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
