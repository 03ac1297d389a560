"""What a user sees while a run goes on: a bar and the top of the table; plain lines without a screen."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from arena.referee.game import GAME_COLUMNS, Row
from arena.tournament.watch import Watch

LINE_SECONDS = 10.0
TOP = 5
_FIRST, _SECOND, _WINNER, _ENDING = (
    GAME_COLUMNS.index(column) for column in ("first", "second", "winner", "ending")
)


class Tally(Watch):
    """A watcher that counts: games in all and of this sitting, per second, forfeits, wins by bot."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self.total = self.done = self.here = self.forfeits = 0
        self.words = ""
        self.games: Counter[str] = Counter()
        self.wins: Counter[str] = Counter()

    def begin(self, games: int, counts: Sequence[Row]) -> None:
        """Start counting, from what was played before."""
        self.total = games
        for _, first, second, winner, ending, _, count, *_ in counts:
            self._count(first, second, winner, ending, count)
        self._since = time.monotonic()

    def extend(self, round: int, games: int) -> None:
        """Expect more games."""
        self.total = games

    def played(self, rows: Sequence[Row]) -> None:
        """Count games; the clock starts with the first ones, after all bots were tried."""
        if not self.here:
            self._since = time.monotonic()
        self.here += len(rows)
        for row in rows:
            self._count(row[_FIRST], row[_SECOND], row[_WINNER], row[_ENDING], 1)

    def _count(self, first: str, second: str, winner: str, ending: str, count: int) -> None:
        self.done += count
        self.games[first] += count
        self.games[second] += count
        self.wins[winner] += count
        self.forfeits += count * (ending != "no-moves")

    def stand(self, words: str) -> None:
        """Remember how things stand."""
        self.words = words

    @property
    def per_second(self) -> float:
        """Games per second in this sitting."""
        return self.here / max(time.monotonic() - self._since, 1e-9)

    def say(self, sentence: str) -> None:
        """Print a sentence on a line of its own."""
        print(sentence, file=sys.stderr, flush=True)


class Lines(Tally):
    """Plain lines now and then, for pipes and files."""

    def __init__(self) -> None:
        super().__init__()
        self._last = time.monotonic()

    def played(self, rows: Sequence[Row]) -> None:
        """Count games, and say how far it is every ten seconds."""
        super().played(rows)
        if time.monotonic() - self._last >= LINE_SECONDS and self.here:
            self._last = time.monotonic()
            left = (self.total - self.done) / max(self.per_second, 1e-9)
            self.say(
                f"{self.done:,} of {self.total:,} games, {self.per_second:,.0f} per second, "
                f"about {_duration(left)} left, {self.forfeits:,} forfeits"
                + f", {self.words}"
                * bool(self.words)
            )


class Screen(Tally):
    """A bar with time left and the top of the table, redrawn in place."""

    def __init__(self) -> None:
        super().__init__()
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[round]}"),
            TextColumn("{task.fields[forfeits]}"),
            TextColumn("{task.fields[words]}"),
        )
        self._task: TaskID | None = None
        self._live = Live(console=Console(stderr=True), refresh_per_second=5, transient=True)

    def __enter__(self) -> Screen:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def begin(self, games: int, counts: Sequence[Row]) -> None:
        """Draw the bar."""
        super().begin(games, counts)
        self._task = self._bar.add_task(
            "", total=games, completed=self.done, rate="trying the bots", forfeits="", round="", words=""
        )
        self._live.update(self._picture())

    def extend(self, round: int, games: int) -> None:
        """Make the bar longer."""
        super().extend(round, games)
        if self._task is not None:
            self._bar.update(self._task, total=games, round=f"round {round:,}")

    def played(self, rows: Sequence[Row]) -> None:
        """Move the bar."""
        super().played(rows)
        if self._task is None or not self.here:
            return
        forfeits = f"{self.forfeits:,} forfeits" if self.forfeits else ""
        rate = f"{self.per_second:,.0f} games/s"
        self._bar.update(self._task, completed=self.done, rate=rate, forfeits=forfeits, words=self.words)
        self._live.update(self._picture())

    def say(self, sentence: str) -> None:
        """Print a sentence above the bar."""
        self._live.console.print(sentence, markup=False, highlight=False)

    def _picture(self) -> Group:
        return Group(self._table(), self._bar) if self.games else Group(self._bar)

    def _table(self) -> Table:
        table = Table(box=None, padding=(0, 2))
        for heading, side in (("bot", "left"), ("won", "right"), ("games", "right"), ("score", "right")):
            table.add_column(heading, justify=side)  # type: ignore[arg-type]
        scores = {bot: self.wins[bot] / games for bot, games in self.games.items()}
        for bot in sorted(scores, key=lambda bot: (-scores[bot], bot))[:TOP]:
            table.add_row(bot, f"{self.wins[bot]:,}", f"{self.games[bot]:,}", f"{scores[bot]:.3f}")
        return table


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
