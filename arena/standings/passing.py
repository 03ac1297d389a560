"""Who passes: each bot against the bosses of its class, by score or by accuracy, and how sure that is.

The score is over all games against the bosses on variants that can rank bots; forfeits are losses. Both
shares have intervals that count openings, and not games or moves (shares.py): playing the same again makes no
verdict surer. A verdict is sure if the whole interval is on one side of the pass mark. If it is not, more
openings would make it so, as long as the share stays what it is: `more_openings` says about how many, on each
variant. A bot that never met a boss neither passes nor fails.
"""

from __future__ import annotations

from collections.abc import Collection
from math import ceil, isnan

import pandas as pd

from arena.standings.scale import SURE
from arena.standings.shares import NOTHING, Share, measure_shares

COLUMNS = [
    *("bot", "version", "games", "score", "score_low", "score_high"),
    *("accuracy", "accuracy_low", "accuracy_high", "graded", "by", "pass_mark", "passed", "is_sure"),
    "more_openings",
]


def passing(
    results: pd.DataFrame,
    evidence: pd.DataFrame,
    bots: pd.DataFrame,
    bosses: Collection[str],
    by: str,
    pass_mark: float,
) -> pd.DataFrame:
    """Return who passes, best first; the bosses themselves are not graded.

    `results` has rows as ratings need them; `evidence` has bot, variant, opening, kept and graded, over games
    against the bosses.
    """
    views = _views(results, bosses)
    scores, games = measure_shares(views, "wins", "games"), views.groupby("bot")["games"].sum()
    accuracies = measure_shares(evidence, "kept", "graded")
    graded = evidence.groupby("bot")["graded"].sum()
    openings = (views if by == "score" else evidence).groupby("bot")["opening"].nunique()
    judged = bots[~bots["bot"].isin(list(bosses))]
    rows = []
    for bot, version in zip(judged["bot"], judged["version"], strict=True):
        score, accuracy = scores.get(bot, NOTHING), accuracies.get(bot, NOTHING)
        counts = int(games.get(bot, 0)), int(graded.get(bot, 0))
        verdict = _judge(score if by == "score" else accuracy, pass_mark, int(openings.get(bot, 0)))
        rows.append((bot, version, counts[0], *score[:3], *accuracy[:3], counts[1], by, pass_mark, *verdict))
    table = pd.DataFrame(rows, columns=COLUMNS).astype({"more_openings": "Int64"})
    return table.sort_values([by, "bot"], ascending=[False, True], ignore_index=True)


def _views(results: pd.DataFrame, bosses: Collection[str]) -> pd.DataFrame:
    """Return the games against bosses as their opponents see them."""
    first = results.rename(columns={"first": "bot", "second": "boss"})
    second = results.rename(columns={"second": "bot", "first": "boss"})
    second = second.assign(wins=second["games"] - second["wins"])
    both = pd.concat([first, second], ignore_index=True)
    return both[both["boss"].isin(list(bosses))]


def _judge(found: Share, pass_mark: float, openings: int) -> tuple[str | None, str | None, int | None]:
    """Return whether a share passes, whether that is sure, and if not, how many more openings it needs.

    All are None without games; the last is None too if no number of openings would do.
    """
    if isnan(found.share):
        return None, None, None
    passed = "yes" if found.share >= pass_mark else "no"
    if found.low >= pass_mark or found.high < pass_mark:
        return passed, "yes", None
    return passed, "no", _count_more(found, pass_mark, openings)


def _count_more(found: Share, pass_mark: float, openings: int) -> int | None:
    """Return how many more openings make a verdict sure if the share stays as it is.

    Wilson's interval ends at the mark where the mark's own standard error reaches as far as the share.
    """
    if found.share == pass_mark:
        return None
    trials = SURE**2 * pass_mark * (1 - pass_mark) / (found.share - pass_mark) ** 2
    return max(1, ceil((trials / found.trials - 1) * openings))
