"""Units of evidence, the clusters of the ratings: the games of two bots from one opening of one variant.

A unit has all games that two bots played from an opening: both sides, all repeats. However results are
written down, in whatever order and from whichever side, the same games give the same units in the same order:
names are sorted, and wins are whole numbers, whose sums do not depend on the order of adding.

A unit weighs as much as one pair of games, and its score is the mean over its games: a game has the weight 2
/ (games of its unit). Deterministic bots then get the rating that a single pair would give, however often
they repeat it. Refused: a weight of 1 for every game, under which the unit that was repeated most counts
most, whether or not it has more to say. A unit of which only one game has been played so far weighs as much
as a whole one: the unit was drawn, not the game.

Sums over units are vectors and matrices over the bots, followed by the variants. A unit touches two numbers
only: the gap between its bots, and the edge of moving first on its variant.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Units(NamedTuple):
    """Units in order; `one` comes before `other` by name, and both are indices into `bots`.

    `weights` has two rows: games in which `one` moves first after the opening, and games in which `other`
    does. `points` are the parts of these weights that `one` won.
    """

    bots: list[str]
    variants: list[str]
    one: Numbers
    other: Numbers
    variant: Numbers
    opening: Numbers
    games: Numbers
    weights: Floats
    points: Floats

    def merge(self) -> Units:
        """Return the units of the same two bots and variant as one: all that an estimate depends on."""
        keys = (self.one * len(self.bots) + self.other) * len(self.variants) + self.variant
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        if len(starts) == len(keys):
            return self
        return self._replace(
            one=self.one[starts],
            other=self.other[starts],
            variant=self.variant[starts],
            opening=self.opening[starts],
            games=np.add.reduceat(self.games, starts),
            weights=np.add.reduceat(self.weights, starts, axis=1),
            points=np.add.reduceat(self.points, starts, axis=1),
        )

    def odds(self, at: Floats) -> Floats:
        """Return the log odds that `one` wins a game of each row of `weights`."""
        bots = len(self.bots)
        gap, edge = at[self.one] - at[self.other], at[bots + self.variant]
        return np.stack([gap + edge, gap - edge])

    def by_bot(self, counts: Floats | Numbers) -> Floats:
        """Return the sum over each bot's units."""
        return _add(self.one, counts, len(self.bots)) + _add(self.other, counts, len(self.bots))

    def by_variant(self, counts: Floats | Numbers) -> Floats:
        """Return the sum over each variant's units."""
        return _add(self.variant, counts, len(self.variants))

    def vector(self, gap: Floats, edge: Floats) -> Floats:
        """Return the sum of pulls at the gaps and at the edges, as pulls at bots and variants."""
        bots = _add(self.one, gap, len(self.bots)) - _add(self.other, gap, len(self.bots))
        return np.concatenate([bots, self.by_variant(edge)])

    def matrix(self, gap: Floats, both: Floats, edge: Floats) -> Floats:
        """Return the sum of the units' matrices ((gap, both), (both, edge)), over bots and variants."""
        bots, variants = len(self.bots), len(self.variants)
        apart = _add(self.one * bots + self.other, gap, bots * bots).reshape(bots, bots)
        across = _add(self.one * variants + self.variant, both, bots * variants)
        across -= _add(self.other * variants + self.variant, both, bots * variants)
        matrix = np.zeros((bots + variants, bots + variants))
        matrix[:bots, :bots] = np.diag(self.by_bot(gap)) - apart - apart.T
        matrix[:bots, bots:] = across.reshape(bots, variants)
        matrix[bots:, :bots] = matrix[:bots, bots:].T
        matrix[bots:, bots:] = np.diag(self.by_variant(edge))
        return matrix


def units_of(results: pd.DataFrame) -> Units:
    """Return the units of some results, without games of a bot against itself."""
    bots, sides = _number(pd.concat([results["first"], results["second"]]))
    first, second = sides[: len(results)], sides[len(results) :]
    counts = results["games"].to_numpy(np.int64)
    is_used = (first != second) & (counts > 0)
    if not is_used.all():
        return units_of(results[is_used])
    variants, variant = _number(results["variant"])
    openings, opening = _number(results["opening"])
    is_turned = first > second
    one, other = np.minimum(first, second), np.maximum(first, second)
    key = ((one * len(bots) + other) * len(variants) + variant) * len(openings) + opening
    keys, unit = np.unique(key, return_inverse=True)
    row = (results["mover"].to_numpy(np.int64) == 1) ^ is_turned
    wins = results["wins"].to_numpy(np.int64)
    games = _sum(row, unit, counts, len(keys))
    points = _sum(row, unit, np.where(is_turned, counts - wins, wins), len(keys))
    rest, opening = np.divmod(keys, max(len(openings), 1))
    pair, variant = np.divmod(rest, max(len(variants), 1))
    total = games.sum(axis=0)
    return Units(
        bots,
        variants,
        *np.divmod(pair, max(len(bots), 1)),
        variant,
        opening,
        total.astype(np.int64),
        2 * games / total,
        2 * points / total,
    )


def _number(names: pd.Series) -> tuple[list[Any], Numbers]:
    """Return the distinct names in order, and the index of each name."""
    codes, found = pd.factorize(names)
    order = sorted(range(len(found)), key=list(found).__getitem__)
    place = np.empty(len(found), np.int64)
    place[order] = np.arange(len(found))
    return [found[number] for number in order], place[codes]


def _sum(row: NDArray[np.bool_], unit: Numbers, counts: Numbers, units: int) -> Floats:
    """Return the sum of the counts by row and unit: whole numbers, exact in floats below 2**53."""
    return _add(row * units + unit, counts, 2 * units).reshape(2, units)


def _add(place: Numbers, counts: Floats | Numbers, size: int) -> Floats:
    """Return the sum of the counts for each of `size` places."""
    return np.bincount(place, counts, size).astype(np.float64)
