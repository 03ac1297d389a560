"""Shares with intervals that count evidence once: scores, and accuracies.

A share is a part of a whole, for example wins of games, or wins kept of wins that could have been thrown
away. The games of a bot that share an opening are not independent, and a game that is played again tells
nothing new. So evidence is the openings, and not the games: how much a bot's share differs between the
openings of a variant says how exactly it is known (a ratio estimator over clusters, with the variants as
strata; Cochran, 1977). Playing every game twenty times changes none of this.

A bot has few openings, so their spread is compared with the largest one that is possible, which openings have
if each is won or lost as a whole. How large a part of it is real is estimated once, from all bots together
(a pooled design effect). One more opening of the largest spread is added for the whole field: openings that
were all alike do not show that the next will be. What comes out is the number of independent trials that
would say as much, and the interval is Wilson's (1927) for that many. It stays within 0 and 1, and a bot that
has won everything has one too.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.standings.scale import SURE

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Share(NamedTuple):
    """A share and its 95 % interval; `trials` is how many independent trials would say as much."""

    share: float
    low: float
    high: float
    trials: float


NOTHING = Share(nan, nan, nan, 0.0)


def measure_shares(evidence: pd.DataFrame, part: str, whole: str) -> dict[str, Share]:
    """Return the share of each bot that has any of the whole.

    `evidence` has bot, variant, opening, and two columns of counts; rows of the same opening are added up.
    """
    keys = ["bot", "variant", "opening"]
    sums = evidence.groupby(keys, sort=True)[[part, whole]].sum().reset_index()
    sums = sums[sums[whole] > 0]
    if sums.empty:
        return {}
    names, bot = np.unique(sums["bot"].to_numpy(str), return_inverse=True)
    parts, wholes = (sums[column].to_numpy(np.float64) for column in (part, whole))
    total = np.bincount(bot, wholes)
    share = np.bincount(bot, parts) / total
    stratum = np.asarray(sums.groupby(["bot", "variant"]).ngroup(), np.int64)
    spread = _spread(parts - share[bot] * wholes, stratum)
    largest = share * (1 - share) * np.bincount(bot, wholes**2)
    trials = total**2 / np.bincount(bot, wholes**2) / _realise(spread, float(largest.sum()), len(sums))
    return {str(name): _measure(*row) for name, *row in zip(names, share, trials, strict=True)}


def _spread(residuals: Floats, stratum: Numbers) -> float:
    """Return the sum of squares between openings of a stratum, as if its mean were known.

    A stratum is a bot on a variant. One with a single opening has no mean to compare with.
    """
    count, of = np.bincount(stratum), np.bincount(stratum, residuals)
    mean = np.where(count > 1, of / count, 0)
    correction = np.where(count > 1, count / np.maximum(count - 1, 1), 1)
    return float((correction[stratum] * (residuals - mean[stratum]) ** 2).sum())


def _realise(spread: float, largest: float, openings: int) -> float:
    """Return which part of the largest spread is real, with one more opening that has all of it."""
    if not largest:
        return 1.0
    return min(1.0, (spread + largest / openings) / (largest + largest / openings))


def _measure(share: float, trials: float) -> Share:
    return Share(float(share), *wilson(float(share), float(trials)), float(trials))


def wilson(share: float, trials: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share that was seen in this many independent trials.

    It contains the share itself, and stays within 0 and 1, whatever rounding does. Refused: statsmodels,
    which has it too but needs scipy.
    """
    middle = share + SURE * SURE / (2 * trials)
    spread = SURE * sqrt(share * (1 - share) / trials + SURE * SURE / (4 * trials * trials))
    scale = 1 + SURE * SURE / trials
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return max(0.0, min(low, share)), min(1.0, max(high, share))
