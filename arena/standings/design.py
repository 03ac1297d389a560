"""The design effect of openings: by how much intervals must be wider because bots repeat themselves on them.

A bot that is weak on an opening is weak there against everybody, so units that share a bot and an opening are
not independent. Taking them for independent, the 95 % intervals of 30 bots that always play alike held the
truth in 72 % of cases.

The pulls of a bot's units on one opening have a correlation, the intraclass correlation of survey statistics
(Kish, 1965). It is estimated once, from all bots and openings together: few openings of each bot still make
many of the field. A bot whose openings each have m units then needs a variance that is 1 + (m - 1) times the
correlation as large as that of independent units. A negative estimate counts as none.

Pulls are taken from the mean of their bot on their variant: a bot that is strong on a whole variant does not
repeat itself on an opening. What centring takes away from the squares is put back (by n / (n - 1)).

Refused: summing pulls by opening before they are squared (a sandwich by opening), which has as many squares
as there are openings: with two or three of them it says next to nothing. Refused: quantiles of Student's t on
top. In simulations the normal ones hold the truth in 94 % to 98 % of cases from 2 openings on
(`python -m benchmarks.coverage`), and t made the intervals of three bots twice as wide as needed.
"""

from __future__ import annotations

import numpy as np

from arena.standings.units import Floats, Numbers, Units


def design_effects(units: Units, pulls: Floats) -> Floats:
    """Return for each bot by what its variance is too small if its units were taken for independent."""
    bots, variants, openings = len(units.bots), len(units.variants), int(units.opening.max(initial=0)) + 1
    bot = np.concatenate([units.one, units.other])
    group = bot * variants + np.tile(units.variant, 2)
    clusters, cluster = np.unique(group * openings + np.tile(units.opening, 2), return_inverse=True)
    sizes = np.bincount(cluster).astype(np.float64)
    group_of = clusters // openings
    pull = np.concatenate([pulls, -pulls])
    correlation = _correlation(pull - _means(pull, group), cluster, group_of, sizes)
    squares, units_of_bot = (np.bincount(group_of // variants, s, bots) for s in (sizes**2, sizes))
    return 1 + (squares / np.maximum(units_of_bot, 1) - 1) * correlation


def _means(values: Floats, group: Numbers) -> Floats:
    """Return the mean of each value's group."""
    counts = np.bincount(group)
    return np.asarray((np.bincount(group, values) / np.maximum(counts, 1))[group])


def _correlation(pull: Floats, cluster: Numbers, group_of: Numbers, sizes: Floats) -> float:
    """Return the correlation of two pulls of one cluster; 0 where nothing is known of it.

    A group is a bot on a variant. One with a single opening says nothing about openings.
    """
    openings, counts = np.bincount(group_of), np.bincount(group_of, sizes)
    sums = np.bincount(group_of, np.bincount(cluster, pull) ** 2) * _unbias(openings)
    squares = np.bincount(group_of, np.bincount(cluster, pull**2)) * _unbias(counts)
    pairs = np.bincount(group_of, sizes * (sizes - 1))
    told = openings > 1
    together, each = pairs[told].sum(), squares[told].sum() / max(counts[told].sum(), 1)
    if not together or not each:
        return 0.0
    return max(0.0, float((sums - squares)[told].sum() / together / each))


def _unbias(counts: Floats | Numbers) -> Floats:
    """Return what to multiply a sum of squares around a mean of so many with."""
    return np.asarray(counts / np.maximum(counts - 1, 1), np.float64)
