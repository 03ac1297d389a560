"""What a log remembers beyond its plan: games that no longer count, and since when each bot's version plays.

The plan has the bots as they are now. Games of a bot before it was edited stay in `games`, and so do those of
bots that have left.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from arena.log.reading import Log
from arena.log.sound import check_row
from arena.referee.row import GAME_COLUMNS, GameRow

_COLUMNS = ", ".join(GAME_COLUMNS)
_OUTSIDE = f"SELECT {_COLUMNS} FROM games WHERE game NOT IN (SELECT game FROM plan) ORDER BY rowid"
_FIRST = """SELECT bot, version, MIN(at) FROM (
    SELECT first AS bot, first_version AS version, MIN(rowid) AS at FROM games GROUP BY 1, 2 UNION ALL
    SELECT second, second_version, MIN(rowid) FROM games GROUP BY 1, 2) GROUP BY 1, 2"""
_BEGUN = """SELECT since, started_at FROM places JOIN machines USING (machine) JOIN runs USING (run)
    ORDER BY since"""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


def games_outside_plan(log: Log) -> Iterator[GameRow]:
    """Yield the games that the plan does not have, in the order in which they came; each is checked alone."""
    if not log.is_all_planned:
        for row in log.each(_OUTSIDE):
            yield check_row(log, GameRow(*row))


def times_of_entry(log: Log) -> dict[tuple[str, str], str]:
    """Return since when each bot's version plays: when the sitting of its first game began, in UTC.

    It is not known in older logs, nor of games that came from other folders.
    """
    if not (log.has("places") and log.has("machines")):
        return {}
    begun = [(since, at) for since, at in log.rows(_BEGUN) if _is_time(at)]
    rows = [since for since, _ in begun]
    found = {}
    for bot, version, row in log.rows(_FIRST):
        place = bisect_right(rows, row) - 1
        if place >= 0:
            found[bot, version] = begun[place][1]
    return found


def _is_time(text: object) -> bool:
    return isinstance(text, str) and _TIME.fullmatch(text) is not None
