"""The ranks of an earlier state of the same run, where the log has one.

Of a format that plays in rounds and ranks by ratings, that is the state after the round before the last
complete one; or after the last complete one, while another is being played. Of any other it is the state
before the last sitting that added games: the log notes which games were there when a sitting began. Games
that the plan no longer has, such as those of a bot before it was edited, are not counted there either.

A knock-out has none: places in a bracket do not go up and down.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from arena.formats import FORMATS
from arena.log.cache import remember
from arena.log.reading import RESULT_COLUMNS
from arena.results import rating
from arena.results.rounds import read_rounds
from arena.results.run import Run

if TYPE_CHECKING:
    import pandas as pd


class Earlier(NamedTuple):
    """Which state it is, in words that follow "compared with", and the rank of every bot that had one."""

    state: str
    ranks: dict[str, int]


def read_earlier(run: Run) -> Earlier | None:
    """Return the ranks of an earlier state; None if the log has none, or if nobody has a rating."""
    found = remember(run.folder, f"earlier ranks of {' '.join(run.variants)}", lambda: _read(run))
    return Earlier(*found) if found and found[1] else None


def _read(run: Run) -> Earlier | None:
    format = FORMATS.get(run.field.format)
    if format is None or format.has_bracket:
        return None
    if not format.is_by_results:
        return _before_last_sitting(run)
    return _before_last_round(run) if format.takes_ratings else None


def _before_last_round(run: Run) -> Earlier | None:
    import pandas as pd

    with run.log() as log:
        rounds = read_rounds(log, run.field, run.degenerate)
    number = len(rounds.results) - (len(rounds.results) == rounds.planned)
    if number < 1:
        return None
    rows = pd.DataFrame(list(chain(*rounds.results[:number])), columns=RESULT_COLUMNS)
    return Earlier(f"the standings after round {number}", _rank(run, rows))


def _before_last_sitting(run: Run) -> Earlier | None:
    with run.log() as log:
        row = log.earlier_row
        if not row:
            return None
        rows = rating.results_frame(log.results(up_to=row))
    rows = rows[rows["variant"].isin(run.variants)]  # how many games are on secret ones is a secret too
    games = f"{int(rows['games'].sum()):,} of the games" if len(rows) else "no game"
    return Earlier(f"the standings before the last sitting, when {games} had been played", _rank(run, rows))


def _rank(run: Run, rows: pd.DataFrame) -> dict[str, int]:
    """Return the ranks by rating, then by score, as the standings have them; equal bots share one."""
    counted = rows[rows["variant"].isin(run.variants) & ~rows["variant"].isin(run.degenerate.keys())]
    if counted.empty:
        return {}
    scores, ratings = _score(counted), rating.rate_field(counted, run.field.bots)
    keys = {bot: (-points, -scores[bot]) for bot, (points, _, _) in ratings.items()}
    order = sorted(keys.values())
    return {bot: 1 + bisect_left(order, key) for bot, key in keys.items()}


def _score(rows: pd.DataFrame) -> dict[str, float]:
    """Return the share of its games that each bot won."""
    import pandas as pd

    first = rows[["first", "wins", "games"]].set_axis(["bot", "wins", "games"], axis=1)
    second = first.assign(bot=rows["second"], wins=rows["games"] - rows["wins"])
    sums = pd.concat([first, second]).groupby("bot").sum()
    return dict(zip(sums.index, sums["wins"] / sums["games"], strict=True))
