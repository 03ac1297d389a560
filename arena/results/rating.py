"""Rating a run: the games of the log, fitted overall and on each variant, in a form that a cache can keep.

Old versions of edited bots take part in a fit, since their games tell how strong their opponents are. They
are not part of the field: they have no row, nobody is compared with them, and the mean of the others is 1500.

Heavy packages are imported where they are used: a digest, for example, needs none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.field import Field
from arena.log.archive import kept_variant
from arena.log.reading import RESULT_COLUMNS, Log
from arena.referee.game import Row
from arena.standings import OVERALL
from arena.standings.scale import MEAN

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

SCORE_COLUMNS = ["part", "bot", "score_low", "score_high"]
RATING_COLUMNS = ["part", "bot", "rating", "low", "high", "over_next", "units", "widening"]
CHUNK = 20_000


def rating_rows(
    results: pd.DataFrame,
    field: Collection[str],
    variants: Sequence[str],
    places: Mapping[str, int] | None = None,
) -> list[Row]:
    """Return a field's ratings overall, and then on each variant that was played: rows of `RATING_COLUMNS`.

    In a bracket the next bot overall is the next by its place, and then by its rating.
    """
    rows = _rate(OVERALL, results, field, places)
    found = set(results["variant"].unique())
    played = [name for name in variants if name in found]
    if len(played) == 1 and not places:  # the same games again
        return rows + [(played[0], *row[1:]) for row in rows]
    for variant in played:
        rows += _rate(variant, results[results["variant"] == variant], field)
    return rows


def score_rows(results: pd.DataFrame, degenerate: Collection[str]) -> list[Row]:
    """Return the intervals of scores overall, by side and on each variant: rows of `SCORE_COLUMNS`.

    Overall and by side degenerate variants are left out.
    """
    views = _view_both(results)
    rated = views[~views["variant"].isin(list(degenerate))]
    parts = [(OVERALL, rated), *rated.groupby("side"), *views.groupby("variant")]
    return [row for part, rows in parts for row in _score(str(part), rows)]


def _view_both(results: pd.DataFrame) -> pd.DataFrame:
    """Return the results as each side sees them, added up by bot, side and opening."""
    import pandas as pd

    views = []
    for side in ("first", "second"):
        sums = results.groupby([side, "variant", "opening"])[["wins", "games"]].sum().reset_index()
        views.append(sums.rename(columns={side: "bot"}).assign(side=side))
    views[1] = views[1].assign(wins=views[1]["games"] - views[1]["wins"])
    return pd.concat(views, ignore_index=True)


def _score(part: str, views: pd.DataFrame) -> list[Row]:
    from arena.standings.shares import measure_shares

    found = measure_shares(views, "wins", "games")
    return [(part, bot, share.low, share.high) for bot, share in found.items()]


def _rate(
    part: str, results: pd.DataFrame, field: Collection[str], places: Mapping[str, int] | None = None
) -> list[Row]:
    from arena.standings.ratings import rate

    ratings = rate(results)
    table = _of_field(ratings.table, field)
    if places:
        table = table.assign(place=table["bot"].map(places)).sort_values("place", kind="stable")
    bots = table["bot"].tolist()
    over_next = [ratings.superiority(one, other) for one, other in pairwise(bots)]
    columns = [table[name].tolist() for name in ("bot", "rating", "low", "high")]
    evidence = [table[name].tolist() for name in ("units", "widening")]
    return [(part, *row) for row in zip(*columns, [*over_next, None][: len(bots)], *evidence, strict=True)]


def rate_field(results: pd.DataFrame, field: Collection[str]) -> dict[str, tuple[float, float, float]]:
    """Return rating, low and high of each bot of a field in some results."""
    from arena.standings.ratings import rate

    table = _of_field(rate(results).table, field)
    columns = [table[name].tolist() for name in ("rating", "low", "high")]
    return dict(zip(table["bot"], zip(*columns, strict=True), strict=True))


def _of_field(table: pd.DataFrame, field: Collection[str]) -> pd.DataFrame:
    """Return the ratings of the field alone, shifted so that their mean is 1500."""
    own = table[table["bot"].isin(list(field))]
    if len(own) in (0, len(table)):
        return own
    points = own[["rating", "low", "high"]]
    return own.assign(**(points + (MEAN - points["rating"].mean())).round(2))


def count_distinct(folder: Path, field: Field, variants: Sequence[str]) -> int:
    """Return how many games on some variants are not the same as another one of the same bots."""
    from arena.standings.distinct import distinct

    versions = dict(field.variants)
    with closing(Log(folder)) as log:
        boards = {name: kept_variant(log, name, versions[name]).board for name in variants}
        return distinct((row for row in log.moves() if row[0] in boards), boards)


def results_frame(rows: Iterator[Row]) -> pd.DataFrame:
    """Return results as a frame in the order of their values; those that differ in wins alone are added up.

    So nothing depends on the order in which games were played, to the last digit. Values are numbered while
    they come, because a million rows of text take half a gigabyte.
    """
    import numpy as np
    import pandas as pd

    numbers: list[dict[object, int]] = [{} for _ in RESULT_COLUMNS[:-2]]
    parts = [_number_values(chunk, numbers) for chunk in _chunks(rows)]
    if not parts:
        return pd.DataFrame(columns=RESULT_COLUMNS)
    *keys, wins, games = np.concatenate(parts, axis=1)
    ordered = [_put_in_order(*column) for column in zip(numbers, keys, strict=True)]
    together = np.ravel_multi_index([key for _, key in ordered], [len(number) for number in numbers])
    _, first, place = np.unique(together, return_index=True, return_inverse=True)
    sums = [np.bincount(place, counts).astype(np.int64) for counts in (wins, games)]
    columns = [values[key[first]] for values, key in ordered]
    return pd.DataFrame(dict(zip(RESULT_COLUMNS, columns + sums, strict=True)))


def _put_in_order(
    number: dict[object, int], key: NDArray[np.int32]
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the values of a column in their own order, and the column as numbers of these."""
    import numpy as np
    import pandas as pd

    values = pd.Series(sorted(number)).to_numpy()  # type: ignore[type-var]
    places = np.empty(len(number), np.int32)
    places[[number[value] for value in values]] = np.arange(len(number))
    return values, places[key]


def _number_values(chunk: list[Row], numbers: list[dict[object, int]]) -> NDArray[np.int32]:
    """Return the columns of some results, with numbers for the values of all but the sums."""
    import numpy as np

    *keys, wins, games = zip(*chunk, strict=True)
    coded = [
        [number.setdefault(value, len(number)) for value in column]
        for number, column in zip(numbers, keys, strict=True)
    ]
    return np.array([*coded, wins, games], np.int32)


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while chunk := list(islice(rows, CHUNK)):
        yield chunk
