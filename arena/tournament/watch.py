"""Who watches a run: a watcher hears what happens, and may show it."""

from __future__ import annotations

from collections.abc import Sequence

from arena.executors.unit import Machine
from arena.referee.game import GameSpec, Row
from arena.referee.row import GameRow


class Watch:
    """A watcher that shows nothing; others override what they show."""

    def begin(self, games: int, counts: Sequence[Row]) -> None:
        """A run of this many games begins; `counts` are those played before, as rows of `COUNT_COLUMNS`."""

    def note_trials(self, done: int, of: int) -> None:
        """Before the first game every bot is tried; this many trials of so many are done."""

    def extend(self, round: int, games: int) -> None:
        """Another round begins; there are now this many games in all."""

    def note_games(self, rows: Sequence[GameRow]) -> None:
        """Games were committed; from time to time it is called without any."""

    def note_machines(self, machines: Sequence[Machine], is_over: bool = False) -> None:
        """So far so many games were played on these machines; called only if there are others than this."""

    def note_playing(self, games: Sequence[GameSpec]) -> None:
        """These are being played now; called from time to time, as far as it is known."""

    def stand(self, words: str) -> None:
        """The current state in a few words, which the next call replaces."""

    def note_grades(self, done: int, of: int) -> None:
        """So many games of so many are graded against perfect play."""

    def say(self, sentence: str) -> None:
        """Something happened that people should know."""
