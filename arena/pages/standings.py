"""The standings of the page: overall, on each variant and on each side, with intervals on common scales.

Every table is drawn alike. The page shows the overall one, and the others folded away below it; its script
makes one table of them all, with a list to choose from. So nothing is computed by a script.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.pages.axis import Axis
from arena.pages.charts import Interval, place, rating_axis
from arena.pages.headline import Place, find_places
from arena.reports.asjson import is_empty
from arena.results.earlier import Earlier

if TYPE_CHECKING:
    import pandas as pd

    from arena.results.run import Run

SHARES = Axis(0.0, 1.0)


class Arrow(NamedTuple):
    """How a rank differs from an earlier one: a short sign, and what it means."""

    sign: str
    said: str


class Standing(NamedTuple):
    """A row: the numbers by their names in standings.csv, and what is drawn of them."""

    bot: str
    place: Place
    points: float | None
    arrow: Arrow | None
    numbers: dict[str, Any]
    rating: Interval | None
    score: Interval | None
    accuracy: Interval | None


class View(NamedTuple):
    """The standings in some of the games; on a side, or where no variant can rank, there are no ratings."""

    name: str
    rows: list[Standing]
    has_ratings: bool
    has_bracket: bool  # which decides the ranks


def view_all(run: Run, earlier: Earlier | None) -> View:
    """Return the standings in all games."""
    standings = run.standings()
    return _view("all games", standings, run.bracket is not None, run.points, earlier)


def view_parts(run: Run, by: str) -> list[View]:
    """Return the standings on each variant, or on each side; nothing by variant if there is one alone."""
    if by == "variant" and len(run.variants) == 1:
        return []
    frame: pd.DataFrame = run.standings(by)
    return [_view(str(name), rows) for name, rows in frame.groupby(by, sort=False)]


def _view(
    name: str,
    standings: pd.DataFrame,
    has_bracket: bool = False,
    points: Mapping[str, float] | None = None,
    earlier: Earlier | None = None,
) -> View:
    places, axis = find_places(standings, has_bracket), rating_axis(standings)
    rows = [
        Standing(
            row["bot"],
            places[row["bot"]],
            (points or {}).get(row["bot"]),
            _point(row, earlier),
            {str(name): value for name, value in row.items()},
            place(row, "rating", "low", "high", axis),
            place(row, "score", "score_low", "score_high", SHARES),
            place(row, "accuracy", "accuracy_low", "accuracy_high", SHARES, "chance"),
        )
        for row in standings.to_dict("records")
    ]
    return View(name, rows, bool(standings["rating"].notna().any()), has_bracket)


def _point(row: Mapping[Any, Any], earlier: Earlier | None) -> Arrow | None:
    """Return how a bot's rank has changed; nothing for a bot that has none now."""
    if earlier is None or is_empty(row["rating"]):
        return None
    before = earlier.ranks.get(row["bot"])
    if before is None:
        return Arrow("new", "it had no rank then")
    up = before - row["rank"]
    sign = f"\N{BLACK UP-POINTING TRIANGLE}{up}" if up > 0 else f"\N{BLACK DOWN-POINTING TRIANGLE}{-up}"
    return Arrow(sign if up else "\N{EN DASH}", f"its rank was {before}")
