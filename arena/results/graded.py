"""What the grades of a folder say, as frames: grades are waited for, or are those that there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from arena.log.cache import recall, remember
from arena.referee.game import Row
from arena.referee.row import GameRow
from arena.results.grading import (
    EVIDENCE_COLUMNS,
    count_graded,
    list_games,
    read_evidence,
    read_tables,
    thrown_away,
)

if TYPE_CHECKING:
    import pandas as pd

THROWN_AWAY = "thrown_away"
"""The column that grading adds to those of a game."""

_TABLES = "evidence and throws"
"""The name under which they are kept when all games are graded."""

THROW_COLUMNS = ["bot", "variant", "ply", "thrown"]


class Graded:
    """The grades of a run; heavy packages are imported where they are used."""

    def __init__(self, folder: Path, is_whole: bool) -> None:
        self._folder = folder
        self._is_whole = is_whole

    def evidence(self, bosses: Sequence[str] | None = None) -> pd.DataFrame:
        """Return what each bot did on each opening by side, against some bots or all."""
        import pandas as pd

        if bosses is None:
            rows = self._remember()[0]
        else:
            rows = read_evidence(self._folder, bosses, self._is_whole)
        return pd.DataFrame(rows, columns=EVIDENCE_COLUMNS)

    def throws(self) -> pd.DataFrame:
        """Return how often each bot threw a win away at which ply."""
        import pandas as pd

        return pd.DataFrame(self._remember()[1], columns=THROW_COLUMNS)

    def thrown_away(self) -> dict[str, int]:
        """Return the ply at which the loser threw the game away for good, for each game where it did."""
        return thrown_away(self._folder, self._is_whole)

    def games(self) -> Iterator[tuple[GameRow, int | None]]:
        """Yield the games of the plan in its order, each with the ply at which it was thrown away, if any."""
        return list_games(self._folder, self._is_whole)

    def count_missing(self, played: int) -> int:
        """Return how many of the games that were played have no grades yet; none if they are waited for."""
        is_known = self._is_whole or recall(self._folder, _TABLES) is not None
        return 0 if is_known else played - count_graded(self._folder)

    def _remember(self) -> tuple[list[Row], list[Row]]:
        """Return evidence and throws; they are remembered for good only if all games are graded."""
        if self._is_whole:
            evidence, throws = remember(self._folder, _TABLES, lambda: read_tables(self._folder))
            return evidence, throws
        return self._so_far

    @cached_property
    def _so_far(self) -> tuple[list[Row], list[Row]]:
        """What the grades say that there are; all of them, if somebody has waited for them."""
        return recall(self._folder, _TABLES) or read_tables(self._folder, is_whole=False)
