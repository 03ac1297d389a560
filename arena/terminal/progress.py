"""What a user sees during a run: a bar and the top of the table on a terminal; plain lines elsewhere.

The picture is drawn over again in place, so every line of it must be one line of the terminal. Names are
shortened, and the last columns stay free: there the terminal writes `^C`, and if that went on to another
line, the first line of the picture would stay for ever.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Collection, Sequence
from types import TracebackType

from rich.console import Console, Group
from rich.constrain import Constrain
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from arena.executors.unit import Machine
from arena.plaintext import for_terminal
from arena.referee.endings import Ending
from arena.referee.game import Row
from arena.referee.row import GameRow
from arena.reports.screen import say_duration, shorten, wrap_line
from arena.terminal.output import stream_below
from arena.tournament.watch import Watch

LINE_SECONDS = 10.0

FREE_COLUMNS = 4
"""Columns at the right where nothing is drawn."""

BESIDE_NAMES = 36
"""Columns that the table's numbers, and the gaps between them, may take."""

FEWEST, MOST = 3, 12
"""How many bots are shown: those that fit a third of the terminal's lines, but between these."""

FEW_MACHINES, MOST_MACHINES = 4, 12
"""How many machines are named during a run, where there is little room, and at its end."""

LONGEST_MACHINE = 24

WIDE, LONG_BAR, SHORT_BAR = 100, 40, 16
"""The bar is short on terminals that are not this wide."""


class Tally(Watch):
    """A watcher that counts: all games and those of this run, games per second, forfeits, wins by bot.

    Games on `secret` variants are counted, but not who won them.
    """

    def __init__(self, secret: Collection[str] = ()) -> None:
        self._secret = frozenset(secret)
        self._since = self._graded_at = time.monotonic()
        self.total = self.done = self.here = self.forfeits = 0
        self.words = ""
        self.round = 0  # the current one, if rounds depend on results; their number is not known
        self.games: Counter[str] = Counter()
        self.wins: Counter[str] = Counter()
        self.machines: Sequence[Machine] = ()

    def begin(self, games: int, counts: Sequence[Row]) -> None:
        """Start counting, from what was played before."""
        self.total = games
        for variant, first, second, winner, ending, _, count, *_ in counts:
            self._count(variant, first, second, winner, ending, count)
        self._since = time.monotonic()

    def extend(self, round: int, games: int) -> None:
        """Expect more games."""
        self.round, self.total = round, games

    def note_games(self, rows: Sequence[GameRow]) -> None:
        """Count games; the clock starts with the first ones, after the pre-flight."""
        if not self.here:
            self._since = time.monotonic()
        self.here += len(rows)
        for row in rows:
            self._count(row.variant, row.first, row.second, row.winner, row.ending, 1)

    def _count(self, variant: str, first: str, second: str, winner: str, ending: str, count: int) -> None:
        self.done += count
        self.forfeits += count * (ending != Ending.NO_MOVES)
        if variant not in self._secret:
            self.games[first] += count
            self.games[second] += count
            self.wins[winner] += count

    def note_machines(self, machines: Sequence[Machine], is_over: bool = False) -> None:
        """Remember who plays how fast."""
        self.machines = machines

    def stand(self, words: str) -> None:
        """Remember the current state in words."""
        self.words = for_terminal(words)

    def note_grades(self, done: int, of: int) -> None:
        """Say from time to time that grading goes on."""
        if time.monotonic() - self._graded_at >= LINE_SECONDS:
            self._graded_at = time.monotonic()
            self.say(f"grading {done:,} of {of:,} games against perfect play")

    @property
    def per_second(self) -> float:
        """Games per second in this run."""
        return self.here / max(time.monotonic() - self._since, 1e-9)

    def say(self, sentence: str) -> None:
        """Print a sentence on a line of its own."""
        print(for_terminal(sentence), file=sys.stderr, flush=True)


class Lines(Tally):
    """Plain lines every ten seconds, for pipes and files."""

    def __init__(self, secret: Collection[str] = ()) -> None:
        super().__init__(secret)
        self._last = time.monotonic()

    def note_games(self, rows: Sequence[GameRow]) -> None:
        """Count games, and report progress every ten seconds."""
        super().note_games(rows)
        if time.monotonic() - self._last >= LINE_SECONDS and self.here:
            self._last = time.monotonic()
            left = (self.total - self.done) / max(self.per_second, 1e-9)
            until = f"round {self.round:,}" if self.round else f"about {say_duration(left)} left"
            words = f", {self.words}" if self.words else ""
            self.say(
                f"{self.done:,} of {self.total:,} games, {self.per_second:,.0f} per second, "
                f"{until}, {self.forfeits:,} forfeits{words}"
            )
            if self.machines:
                self.say(say_machines(self.machines, FEW_MACHINES))

    def note_machines(self, machines: Sequence[Machine], is_over: bool = False) -> None:
        """Remember who plays how fast, and say it at the end."""
        super().note_machines(machines, is_over)
        if is_over:
            self.say(say_machines(machines, MOST_MACHINES))


class Screen(Tally):
    """A bar with time left and the top of the table, redrawn in place."""

    def __init__(self, secret: Collection[str] = ()) -> None:
        super().__init__(secret)
        # Only the bar is drawn below the stream that makes output printable.
        console = Console(file=stream_below(sys.stderr))
        self._bar = Progress(
            BarColumn(LONG_BAR if console.width >= WIDE else SHORT_BAR),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[round]}"),
            TextColumn("{task.fields[forfeits]}"),
        )
        self._task: TaskID | None = None
        self._grading: TaskID | None = None
        self._live = Live(
            console=console,
            refresh_per_second=5,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

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
            "", total=games, completed=self.done, rate="trying the bots", forfeits="", round=""
        )
        self._live.update(self._picture())

    def note_trials(self, done: int, of: int) -> None:
        """Say how far the trials are."""
        if self._task is not None:
            self._bar.update(self._task, rate=f"trying the bots, {done:,} of {of:,} trials")

    def extend(self, round: int, games: int) -> None:
        """Make the bar longer."""
        super().extend(round, games)
        if self._task is not None:
            self._bar.update(self._task, total=games, round=f"round {round:,}")

    def note_games(self, rows: Sequence[GameRow]) -> None:
        """Move the bar."""
        super().note_games(rows)
        if self._task is None or not self.here:
            return
        forfeits = f"{self.forfeits:,} forfeits" if self.forfeits else ""
        rate = f"{self.per_second:,.0f} games/s"
        self._bar.update(self._task, completed=self.done, rate=rate, forfeits=forfeits)
        self._live.update(self._picture())

    def note_grades(self, done: int, of: int) -> None:
        """Move a bar of its own."""
        if self._grading is None:
            self._grading = self._bar.add_task("", rate="grading; Ctrl-C stops it", forfeits="", round="")
            if self._task is not None and not self.here:
                self._bar.update(self._task, rate="all were played before")
        self._bar.update(self._grading, completed=done, total=of)
        self._live.update(self._picture())

    def note_machines(self, machines: Sequence[Machine], is_over: bool = False) -> None:
        """Remember who plays how fast, which is drawn with the next games; say it at the end."""
        super().note_machines(machines, is_over)
        if is_over:
            self.say(wrap_line(say_machines(machines, MOST_MACHINES), self._room))

    def say(self, sentence: str) -> None:
        """Print a sentence above the bar."""
        self._live.console.print(Text(for_terminal(sentence)))

    @property
    def _room(self) -> int:
        return max(self._live.console.width - FREE_COLUMNS, 1)

    def _picture(self) -> Constrain:
        machines = say_machines(self.machines, FEW_MACHINES) if self.machines else ""
        words = [Text(wrap_line(line, self._room)) for line in (self.words, machines) if line]
        parts = [self._table(), self._bar] if self.games else [self._bar]
        return Constrain(Group(*parts, *words), self._room)

    def _table(self) -> Table:
        table = Table(box=None, padding=(0, 2))
        for heading, side in (("bot", "left"), ("won", "right"), ("games", "right"), ("score", "right")):
            table.add_column(heading, justify=side, no_wrap=True)  # type: ignore[arg-type]
        scores = {bot: self.wins[bot] / games for bot, games in self.games.items()}
        shown = sorted(scores, key=lambda bot: (-scores[bot], bot))[: self._lines()]
        for bot in shown:
            # A bare string would be read as rich's markup.
            name = Text(shorten(for_terminal(bot), self._room - BESIDE_NAMES))
            table.add_row(name, f"{self.wins[bot]:,}", f"{self.games[bot]:,}", f"{scores[bot]:.3f}")
        if len(shown) < len(scores):
            table.add_row(f"and {len(scores) - len(shown):,} more")
        return table

    def _lines(self) -> int:
        return min(max(self._live.console.height // 3, FEWEST), MOST)


def say_machines(machines: Sequence[Machine], most: int) -> str:
    """Return who plays, how fast, and who was lost: first whoever lost most, then who played most."""
    shown = sorted(machines, key=lambda one: (-one.lost, -one.games, one.name))[:most]
    told = ", ".join(_say_machine(one) for one in shown)
    left = len(machines) - len(shown)
    more = f", and {left:,} more" if left else ""
    return f"{len(machines):,} machine{'s' * (len(machines) != 1)}: {told}{more}"


def _say_machine(machine: Machine) -> str:
    name = shorten(for_terminal(machine.name), LONGEST_MACHINE)
    rate = f"{machine.per_second:,.0f}" if machine.per_second >= 10 else f"{machine.per_second:.1f}"
    workers = machine.workers + machine.lost
    return f"{name} {rate} games/s" + f" ({machine.lost:,} of {workers:,} workers lost)" * bool(machine.lost)
