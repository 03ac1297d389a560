"""Who passes: each bot against the bosses of its class, by score or by accuracy, and how sure that is.

The score is over all games against the bosses on variants that can rank bots; forfeits are losses. Its Wilson
interval counts units (boss, variant, opening) and not games, because a repeated game says nothing new. The
interval of the accuracy counts graded moves. A verdict is sure if the whole interval is on one side of the
pass mark. A bot that never met a boss neither passes nor fails.
"""

from __future__ import annotations

from collections.abc import Collection
from math import isnan, nan, sqrt

import pandas as pd

from arena.standings.ratings import SURE

COLUMNS = [
    *("bot", "version", "games", "score", "score_low", "score_high"),
    *("accuracy", "accuracy_low", "accuracy_high", "graded", "by", "pass_mark", "passed", "is_sure"),
]


def passing(
    results: pd.DataFrame,
    grades: pd.DataFrame,
    bots: pd.DataFrame,
    bosses: Collection[str],
    by: str,
    pass_mark: float,
) -> pd.DataFrame:
    """Return who passes, best first; the bosses themselves are not graded.

    `results` has rows as ratings need them; `grades` has bot, kept and graded, over games against the bosses.
    """
    views = _views(results, bosses)
    kept = grades.groupby("bot")[["kept", "graded"]].sum()
    judged = bots[~bots["bot"].isin(list(bosses))]
    rows = [
        _row(bot, version, views[views["bot"] == bot], kept, by, pass_mark)
        for bot, version in zip(judged["bot"], judged["version"], strict=True)
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.sort_values([by, "bot"], ascending=[False, True], ignore_index=True)


def _views(results: pd.DataFrame, bosses: Collection[str]) -> pd.DataFrame:
    """Return the games against bosses as their opponents see them."""
    first = results.rename(columns={"first": "bot", "second": "boss"})
    second = results.rename(columns={"second": "bot", "first": "boss"})
    second = second.assign(wins=second["games"] - second["wins"])
    both = pd.concat([first, second], ignore_index=True)
    return both[both["boss"].isin(list(bosses))]


def _row(
    bot: str, version: str, views: pd.DataFrame, kept: pd.DataFrame, by: str, pass_mark: float
) -> tuple[object, ...]:
    games = int(views["games"].sum())
    units = len(views[["boss", "variant", "opening"]].drop_duplicates())
    score = _share(int(views["wins"].sum()), games, units)
    right, graded = (int(kept[name].get(bot, 0)) for name in ("kept", "graded"))
    accuracy = _share(right, graded, graded)
    verdict = _verdict(*(score if by == "score" else accuracy), pass_mark)
    return (bot, version, games, *score, *accuracy, graded, by, pass_mark, *verdict)


def _verdict(share: float, low: float, high: float, pass_mark: float) -> tuple[str | None, str | None]:
    """Return whether a share passes and whether that is sure; None for both without games."""
    if isnan(share):
        return None, None
    is_sure = low >= pass_mark or high < pass_mark
    return "yes" if share >= pass_mark else "no", "yes" if is_sure else "no"


def _share(part: int, whole: int, units: int) -> tuple[float, float, float]:
    """Return a share with its interval; NaN without games."""
    if not whole:
        return nan, nan, nan
    return (part / whole, *wilson(part / whole, units))


def wilson(share: float, units: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval (1927) of a share that was seen in this many units of evidence.

    It contains the share itself, and stays within 0 and 1, whatever rounding does. Refused: statsmodels,
    which has it too but needs scipy.
    """
    middle = share + SURE * SURE / (2 * units)
    spread = SURE * sqrt(share * (1 - share) / units + SURE * SURE / (4 * units * units))
    scale = 1 + SURE * SURE / units
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return max(0.0, min(low, share)), min(1.0, max(high, share))
