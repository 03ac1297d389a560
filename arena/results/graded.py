"""What the grades of a folder say, as frames: grades are waited for, or are those that there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.log.cache import remember
from arena.referee.game import Row
from arena.results.grading import EVIDENCE_COLUMNS, count_graded, read_evidence, read_throws, thrown_away

if TYPE_CHECKING:
    import pandas as pd

THROWN_AWAY = "thrown_away"
"""The column that grading adds to those of a game."""

THROW_COLUMNS = ["bot", "variant", "ply", "thrown"]


class Graded:
    """The grades of a run; heavy packages are imported where they are used."""

    def __init__(self, folder: Path, is_whole: bool) -> None:
        self._folder = folder
        self._is_whole = is_whole

    def evidence(self, bosses: Sequence[str] | None = None) -> pd.DataFrame:
        """Return what each bot did on each opening by side, against some bots or all."""
        import pandas as pd

        def read() -> list[Row]:
            return read_evidence(self._folder, bosses, self._is_whole)

        rows = self._remember("evidence", read) if bosses is None else read()
        return pd.DataFrame(rows, columns=EVIDENCE_COLUMNS)

    def throws(self) -> pd.DataFrame:
        """Return how often each bot threw a win away at which ply."""
        import pandas as pd

        rows = self._remember("throws", lambda: read_throws(self._folder, self._is_whole))
        return pd.DataFrame(rows, columns=THROW_COLUMNS)

    def thrown_away(self) -> dict[str, int]:
        """Return the ply at which the loser threw the game away for good, for each game where it did."""
        return thrown_away(self._folder, self._is_whole)

    def count_missing(self, played: int) -> int:
        """Return how many of the games that were played have no grades yet; none if they are waited for."""
        return 0 if self._is_whole else played - count_graded(self._folder)

    def _remember(self, name: str, read: Callable[[], list[Row]]) -> list[Row]:
        """Return what was read; it is remembered only if all games are graded."""
        return list(remember(self._folder, name, read) if self._is_whole else read())
