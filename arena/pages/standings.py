"""The standings of the page: each row with its place, and with its intervals drawn on common scales."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arena.pages.axis import Axis
from arena.pages.charts import Interval, place, rating_axis
from arena.pages.headline import Place, find_places
from arena.reports.screen import Table
from arena.reports.text import for_people, lay_cells

if TYPE_CHECKING:
    import pandas as pd

    from arena.results.run import Run

SHARES = Axis(0.0, 1.0)


class Standing(NamedTuple):
    """A row: the numbers by their names in standings.csv, and what is drawn of them."""

    bot: str
    place: Place
    points: float | None
    numbers: dict[str, Any]
    rating: Interval | None
    accuracy: Interval | None


class Fold(NamedTuple):
    """A table that is folded away, with its name."""

    name: str
    table: Table


def list_standings(run: Run) -> list[Standing]:
    """Return the bots in order."""
    standings, points = run.standings(), run.points
    places, axis = find_places(standings, run.bracket is not None), rating_axis(standings)
    return [
        Standing(
            row["bot"],
            places[row["bot"]],
            points.get(row["bot"]),
            {str(name): value for name, value in row.items()},
            place(row, "rating", "low", "high", axis),
            place(row, "accuracy", "accuracy_low", "accuracy_high", SHARES, "chance"),
        )
        for row in standings.to_dict("records")
    ]


def fold_standings(run: Run, by: str) -> list[Fold]:
    """Return the standings on each variant, or on each side."""
    frame: pd.DataFrame = run.standings(by)
    return [
        Fold(str(name), lay_cells(for_people(rows.drop(columns=[by, "version"]), run.bots), str))
        for name, rows in frame.groupby(by, sort=False)
    ]
