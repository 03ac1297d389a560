"""What a log remembers beyond its plan: games that no longer count, and since when each bot's version plays.

The plan has the bots as they are now. Games of a bot before it was edited stay in `games`, and so do those of
bots that have left.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from arena.errors import printable
from arena.log.door import wrong
from arena.log.reading import Log
from arena.solver.openings import MOST_PLIES

_COLUMNS = "game, variant, opening, repeat, first, first_version, second, second_version, winner, isolation"
_OUTSIDE = f"""SELECT {_COLUMNS}, opening_plies, substr(moves, 1, {5 * MOST_PLIES}) FROM games
    WHERE opening % ? = 0 AND game NOT IN (SELECT game FROM plan) ORDER BY rowid"""
_FIRST = """SELECT bot, version, MIN(at) FROM (
    SELECT first AS bot, first_version AS version, MIN(rowid) AS at FROM games WHERE opening % ?1 = 0
    GROUP BY 1, 2 UNION ALL
    SELECT second, second_version, MIN(rowid) FROM games WHERE opening % ?1 = 0 GROUP BY 1, 2)
    GROUP BY 1, 2"""
_BEGUN = """SELECT since, started_at FROM places JOIN machines USING (machine) JOIN runs USING (run)
    ORDER BY since"""
_TYPES = (str, str, int, int, str, str, str, str, str, str, int, str)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


class OldGame(NamedTuple):
    """A game that the plan does not have, as far as its result matters; nothing of it is checked."""

    game: str
    variant: str
    opening: int
    repeat: int
    first: str
    first_version: str
    second: str
    second_version: str
    winner: str
    isolation: str
    opening_plies: int
    begun: str  # its first moves, those of the opening among them

    @property
    def cells(self) -> str:
        """The opening, as ids cover it."""
        return " ".join(self.begun.split(" ", self.opening_plies)[: self.opening_plies])


def games_outside_plan(log: Log, every: int = 1) -> Iterator[OldGame]:
    """Yield the games that the plan does not have, in their order of arrival; of every so-many-th opening.

    Each has the types that arena writes; whether it was played as it says is for its id to show.
    """
    if not log.is_all_planned:
        for row in log.each(_OUTSIDE, every):
            if tuple(map(type, row)) != _TYPES:
                raise wrong(log.folder, f"game {printable(str(row[0]))} is not as arena writes games")
            yield OldGame(*row)


def times_of_entry(log: Log, every: int = 1) -> dict[tuple[str, str], str]:
    """Return since when each bot's version plays: when the sitting of its first game began, in UTC.

    Only games of every so-many-th opening are looked at; the first game of most bots is of opening 0.
    It is not known in older logs, nor of games that came from other folders.
    """
    if not (log.has("places") and log.has("machines")):
        return {}
    begun = [(since, at) for since, at in log.rows(_BEGUN) if _is_time(at)]
    rows = [since for since, _ in begun]
    found = {}
    for bot, version, row in log.rows(_FIRST, every):
        place = bisect_right(rows, row) - 1
        if place >= 0:
            found[bot, version] = begun[place][1]
    return found


def _is_time(text: object) -> bool:
    return isinstance(text, str) and _TIME.fullmatch(text) is not None
