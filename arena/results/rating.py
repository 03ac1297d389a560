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
from typing import TYPE_CHECKING

from arena.field import Field
from arena.log.archive import kept_variant
from arena.log.reading import RESULT_COLUMNS, Log
from arena.referee.game import Row
from arena.standings import OVERALL
from arena.standings.scale import MEAN

if TYPE_CHECKING:
    import pandas as pd

SCORE_COLUMNS = ["part", "bot", "score_low", "score_high"]
RATING_COLUMNS = ["part", "bot", "rating", "low", "high", "over_next", "units", "widening"]
CHUNK = 100_000


def rating_rows(
    results: pd.DataFrame, field: Collection[str], places: Mapping[str, int] | None = None
) -> list[Row]:
    """Return a field's ratings overall, and then on each variant: rows of `RATING_COLUMNS`.

    In a bracket the next bot overall is the next by its place, and then by its rating.
    """
    rows = _rate(OVERALL, results, field, places)
    variants = results["variant"].unique().tolist()
    if len(variants) == 1 and not places:  # the same games again
        return rows + [(variants[0], *row[1:]) for row in rows]
    for variant in variants:
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

    first = results.assign(bot=results["first"], side="first")
    second = results.assign(bot=results["second"], side="second", wins=results["games"] - results["wins"])
    keys = ["bot", "side", "variant", "opening"]
    return pd.concat([first, second]).groupby(keys)[["wins", "games"]].sum().reset_index()


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
    """Return results as a frame, added up chunk by chunk, so that a million repeats need little memory."""
    import pandas as pd

    chunks = [_added_up(pd.DataFrame(chunk, columns=RESULT_COLUMNS)) for chunk in _chunks(rows)]
    if not chunks:
        return pd.DataFrame(columns=RESULT_COLUMNS)
    return chunks[0] if len(chunks) == 1 else _added_up(pd.concat(chunks, ignore_index=True))


def _added_up(results: pd.DataFrame) -> pd.DataFrame:
    sums, keys = ["wins", "games"], [column for column in RESULT_COLUMNS if column not in ("wins", "games")]
    return results.groupby(keys, sort=False)[sums].sum().reset_index()


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while chunk := list(islice(rows, CHUNK)):
        yield chunk
