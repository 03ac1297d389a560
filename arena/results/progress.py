"""How far a run is, for those who look on while another process plays it.

It is asked every second, so it takes a few short queries and no table. How fast a run is follows from how far
it was a little earlier: the log has no times of games.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.referee.row import GameRow
from arena.results.run import Run

MOST_LATEST = 5


class Progress(NamedTuple):
    """Games on the variants that are shown: how many are played and planned, and the last ones."""

    played: int
    planned: int
    is_over: bool
    is_open: bool  # more rounds may be planned
    latest: list[GameRow]
    is_waiting: bool = False  # of a contest that is open: nothing is missing until somebody enters


def read_progress(run: Run) -> Progress:
    """Return how far a run is."""
    with run.log() as log:
        played, planned = log.played_on(run.hidden), log.planned_on(run.hidden)
        latest = log.latest(MOST_LATEST, run.hidden)
        is_waiting = log.is_open and log.planned == log.played
    is_open = run.is_by_results and not run.is_over
    return Progress(played, planned, run.is_over, is_open, latest, is_waiting)
