"""Who watches a run: told what happens, and free to show it or not."""

from __future__ import annotations

from collections.abc import Sequence

from arena.referee.game import Row
from arena.referee.row import GameRow


class Watch:
    """A watcher that shows nothing; others override what they show."""

    def begin(self, games: int, counts: Sequence[Row]) -> None:
        """A run of so many games begins; `counts` are those played before, as rows of `COUNT_COLUMNS`."""

    def extend(self, round: int, games: int) -> None:
        """Another round begins, and with it there are so many games in all."""

    def note_games(self, rows: Sequence[GameRow]) -> None:
        """Games were committed; none of them now and then."""

    def stand(self, words: str) -> None:
        """How things stand now, in a few words that the next ones replace."""

    def note_grades(self, games: int) -> None:
        """So many games were graded against perfect play so far."""

    def say(self, sentence: str) -> None:
        """Something happened that people should know."""
