"""Rating a run: the games of the log, fitted overall and on each variant, in a form that a cache can keep.

Old versions of edited bots take part in a fit, since their games tell how strong their opponents are. They
are not part of the field: they have no row, nobody is compared with them, and the mean of the others is 1500.

Heavy packages are imported where they are used: a digest, for example, needs none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
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

RATING_COLUMNS = ["part", "bot", "rating", "low", "high", "over_next", "units", "widening"]
CHUNK = 100_000


def rating_rows(results: pd.DataFrame, field: Collection[str]) -> list[Row]:
    """Return a field's ratings overall, and then on each variant: rows of `RATING_COLUMNS`."""
    rows = _rate(OVERALL, results, field)
    variants = results["variant"].unique().tolist()
    if len(variants) == 1:  # the same games again
        return rows + [(variants[0], *row[1:]) for row in rows]
    for variant in variants:
        rows += _rate(variant, results[results["variant"] == variant], field)
    return rows


def _rate(part: str, results: pd.DataFrame, field: Collection[str]) -> list[Row]:
    from arena.standings.ratings import rate

    ratings = rate(results)
    table = _of_field(ratings.table, field)
    bots = table["bot"].tolist()
    over_next = [ratings.superiority(one, other) for one, other in pairwise(bots)]
    columns = [table[name].tolist() for name in ("bot", "rating", "low", "high")]
    evidence = [table[name].tolist() for name in ("units", "widening")]
    return [(part, *row) for row in zip(*columns, [*over_next, None][: len(bots)], *evidence, strict=True)]


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
