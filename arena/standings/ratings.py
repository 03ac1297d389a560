"""Ratings on the Elo scale, by the Bradley-Terry model: all games at once, with cluster-robust intervals.

The model is Bradley-Terry with an advantage of moving first: the side that moves first after the opening wins
with the log odds (its strength) - (the other's) + (the edge of moving first on this variant). Strengths and
edges are fitted together by maximum likelihood, with a weak prior, so nothing depends on the order of the
games. A rating is a strength on the Elo scale: 400 points are odds of 10:1, and the mean of the field is
1500. There is one edge for all openings of a variant. If these favour different sides by much, ratings tell
the chances on average, and are closer together than any single opening would put them.

Intervals are cluster-robust (sandwich estimator): they come from the spread between units (see units.py),
that is, from how far each unit pulls at the estimate beyond what the fit expects. Repeats sharpen a unit and
never add one. Refused: the model's own errors, which take every game as independent; where games are copies
of each other they are far too narrow. Two corrections are for few units. A unit draws the fit towards itself,
so its pull is enlarged by its leverage (CR2 of Bell and McCaffrey, 2002), which makes the spread right on
average. And each bot's spread is that of one more unit, which pulls as the model expects of its mean unit:
five pairs that all end 1-1 do not show that the sixth will end 1-1 too. Refused: quantiles of Student's t,
which multiply a spread of zero.

The prior is a part of a game that each bot is assumed to have won against a bot of mean strength, and as much
that it lost; the same for each variant's mover. It keeps the rating of a bot that won everything finite. In
the spread it counts with its weight, times the square of how unexpected it is: a bot that won everything
surprises only the prior, and that alone makes its interval wide. The size of that part was measured. The best
five of 50 bots with eight meetings of one opening each lose 31 points towards the mean with a quarter of a
game, 90 with a half and 156 with one, and their intervals then contain the truth in 98, 90 and 75 cases of
100. Two bots 200 points apart with eight openings are shown 38 points further apart with a quarter, 54 with a
tenth.

Units of one bot on one opening are not independent: design.py says how much wider that makes intervals.

Digits after the second mean nothing and differ between machines, so they are rounded away.
"""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pandas as pd

from arena.game.frozen import Frozen
from arena.standings.design import design_effects
from arena.standings.scale import MEAN, POINTS, SURE
from arena.standings.units import Floats, Units, units_of

PRIOR = 0.25
"""The part of a game that each bot is assumed to have won against a mean bot, and to have lost."""

MOST_STEPS = 100
NEAR = 1e-6
"""A step this small, in log odds, is the last one: Newton's method then has twice as many digits."""

MOST_TURNS = 100
EXACT = 1e-24
"""A step is solved when this share of the gradient's square is left."""

UNBOUNDED = 1e6
"""If a variance of log odds is above this, the games do not bound the strength."""

NO_ANSWER = "without a prior these games bound no strengths: some bots won or lost everything, or never met"


class Ratings(Frozen):
    """Strengths fitted to games; immutable. `games` and `units` count what they rest on."""

    def __init__(self, units: Units, at: Floats, spread: Floats, widening: Floats) -> None:
        bots = len(units.bots)
        self._freeze(
            games=int(units.games.sum()),
            units=len(units.games),
            _numbers={bot: number for number, bot in enumerate(units.bots)},
            _strengths=at[:bots],
            _spread=spread[:bots, :bots],
            _table=_table(units, at, spread, widening),
            _advantages=_advantages(units, at, spread),
        )

    games: int
    units: int
    _numbers: dict[str, int]
    _strengths: Floats
    _spread: Floats
    _table: pd.DataFrame
    _advantages: pd.DataFrame

    @property
    def table(self) -> pd.DataFrame:
        """The bots, best first: bot, rating, low, high, games, units, widening.

        Low to high is a 95 % interval, `widening` times as wide as if units on one opening were independent.
        """
        return self._table.copy()

    @property
    def advantages(self) -> pd.DataFrame:
        """What moving first is worth on each variant, in points: variant, points, low, high."""
        return self._advantages.copy()

    def superiority(self, one: str, other: str) -> float:
        """Return the probability that one bot is truly better; KeyError if one of them has not played."""
        i, j = self._numbers[one], self._numbers[other]
        variance = self._spread[i, i] + self._spread[j, j] - 2 * self._spread[i, j]
        if variance <= 0:
            return 0.5
        return 0.5 * (1 + erf((self._strengths[i] - self._strengths[j]) / sqrt(2 * variance)))


def rate(results: pd.DataFrame, prior: float = PRIOR) -> Ratings:
    """Return the ratings of all bots that played; ValueError if games without a prior bound no strength.

    `results` has a row for each kind of game: variant, opening, first, second, mover (the side that moves
    first after the opening), wins (of first) and games. Rows may repeat a kind.
    """
    units = units_of(results)
    at, inverse = _fit(units.merge(), prior)
    pulls = _pulls(units, at, inverse)
    effects = design_effects(units, pulls.sum(axis=0))
    wider = np.sqrt(np.concatenate([effects, np.ones(len(units.variants))]))
    scatter = _scatter(units, at, pulls, prior) * np.outer(wider, wider)
    return Ratings(units, at, inverse @ scatter @ inverse, np.sqrt(effects))


def _fit(units: Units, prior: float) -> tuple[Floats, Floats]:
    """Return the maximum likelihood strengths and edges, and the inverse of their information matrix."""
    try:
        at = _likeliest(units, prior)
        inverse = np.linalg.inv(_information(units, at, prior)).astype(np.float64)
    except np.linalg.LinAlgError:
        raise ValueError(NO_ANSWER) from None
    if not np.abs(inverse).max(initial=0) < UNBOUNDED:
        raise ValueError(NO_ANSWER)
    return at, inverse


def _likeliest(units: Units, prior: float) -> Floats:
    """Climb by Newton's method to the only maximum."""
    at = np.zeros(len(units.bots) + len(units.variants))
    likelihood = _likelihood(units, at, prior)
    for _ in range(MOST_STEPS):
        step = _solution(_information(units, at, prior), _gradient(units, at, prior))
        # A step that is too long leads down; so may rounding, in the last digit.
        while (further := _likelihood(units, at + step, prior)) < likelihood - 1e-12 * abs(likelihood):
            step /= 2
        at, likelihood = at + step, further
        if np.abs(step).max(initial=0) < NEAR:
            return at
    raise ValueError(NO_ANSWER)


def _solution(matrix: Floats, right: Floats) -> Floats:
    """Solve by conjugate gradients, which take a few iterations if most bots have met; else by elimination.

    Elimination takes five times as long for a thousand bots, and much longer where the cores are busy.
    """
    scale = 1 / np.maximum(np.diag(matrix), 1e-300)
    solution, left = np.zeros_like(right), right
    along = scale * left
    size = start = left @ along
    for _ in range(MOST_TURNS):
        if size <= EXACT * start:
            return solution
        image = np.einsum("ij,j->i", matrix, along)
        length = size / (along @ image)
        solution, left = solution + length * along, left - length * image
        before, size = size, left @ (scale * left)
        along = scale * left + size / before * along
    return np.linalg.solve(matrix, right).astype(np.float64)


def _likelihood(units: Units, at: Floats, prior: float) -> float:
    odds = units.odds(at)
    games = units.points * odds - units.weights * _softplus(odds)
    return float(games.sum() + prior * (at - 2 * _softplus(at)).sum())


def _softplus(odds: Floats) -> Floats:
    """Return log(1 + exp(odds)), six times as fast as by logaddexp."""
    return np.maximum(odds, 0) + np.log1p(np.exp(-np.abs(odds)))


def _gradient(units: Units, at: Floats, prior: float) -> Floats:
    one, other = units.points - units.weights * _chance(units.odds(at))
    return units.vector(one + other, one - other) + prior * (1 - 2 * _chance(at))


def _information(units: Units, at: Floats, prior: float) -> Floats:
    one, other = _weigh(units, at)
    information = units.matrix(one + other, one - other, one + other)
    chance, bots = _chance(at), len(units.bots)
    if prior:
        return information + np.diag(2 * prior * chance * (1 - chance))
    # Games bound only differences: without a prior the mean is held fixed.
    information[:bots, :bots] += 1 / max(bots, 1)
    return information


def _chance(odds: Floats) -> Floats:
    return 0.5 * (1 + np.tanh(0.5 * odds))


def _weigh(units: Units, at: Floats) -> Floats:
    """Return the information of each unit about its own odds, by who moves first: weight times p (1 - p)."""
    chance = _chance(units.odds(at))
    return units.weights * chance * (1 - chance)


def _scatter(units: Units, at: Floats, pulls: Floats, prior: float) -> Floats:
    """Return the scatter of the pulls, the middle of the sandwich: the sum of their squares, as a matrix."""
    one, other = pulls
    squares = units.matrix((one + other) ** 2, one**2 - other**2, (one - other) ** 2)
    known, each = _weigh(units, at).sum(axis=0), np.ones(len(units.games))
    more = [units.by_bot(known) / units.by_bot(each), units.by_variant(known) / units.by_variant(each)]
    chance = _chance(at)
    return squares + np.diag(np.concatenate(more) + prior * (chance**2 + (1 - chance) ** 2))


def _pulls(units: Units, at: Floats, inverse: Floats) -> Floats:
    """Return how much more `one` won than the fit expects, by who moves first, corrected for leverage (CR2).

    H is the leverage of a unit's two kinds of game on each other; the root of 1 - H is divided out. The root
    of a 2 x 2 matrix has a closed form.
    """
    left = units.points - units.weights * _chance(units.odds(at))
    known, (own_one, own_other, cross) = _weigh(units, at), _variances(units, inverse)
    free_one, free_other = np.maximum(1 - known[0] * own_one, 0), np.maximum(1 - known[1] * own_other, 0)
    # Without a prior a unit may have a leverage of 1; its residual is then 0, and nothing needs correcting.
    root = np.sqrt(np.maximum(free_one * free_other - known[0] * known[1] * cross**2, 1e-12))
    scale = root * np.sqrt(free_one + free_other + 2 * root)
    one = (free_other + root) * left[0] + known[0] * cross * left[1]
    other = (free_one + root) * left[1] + known[1] * cross * left[0]
    return np.stack([one / scale, other / scale])


def _variances(units: Units, inverse: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the model's variances of the two log odds of each unit, and their covariance."""
    own, variant = np.diag(inverse), len(units.bots) + units.variant
    gap = own[units.one] + own[units.other] - 2 * inverse[units.one, units.other]
    both = inverse[units.one, variant] - inverse[units.other, variant]
    edge = own[variant]
    return gap + 2 * both + edge, gap - 2 * both + edge, gap - edge


def _table(units: Units, at: Floats, spread: Floats, widening: Floats) -> pd.DataFrame:
    bots = len(units.bots)
    strengths, own = at[:bots], spread[:bots, :bots]
    share = 1 / max(bots, 1)
    mean = share * own.sum(axis=0)
    variance = np.diag(own) - 2 * mean + share * mean.sum()
    table = pd.DataFrame(
        {
            "bot": units.bots,
            **_interval("rating", strengths - share * strengths.sum(), variance, MEAN),
            "games": units.by_bot(units.games).astype(np.int64),
            "units": units.by_bot(np.ones_like(units.games)).astype(np.int64),
            "widening": widening.round(3),
        }
    )
    return table.sort_values(["rating", "bot"], ascending=[False, True], ignore_index=True)


def _advantages(units: Units, at: Floats, spread: Floats) -> pd.DataFrame:
    bots = len(units.bots)
    return pd.DataFrame(
        {"variant": units.variants, **_interval("points", at[bots:], np.diag(spread)[bots:], 0.0)}
    )


def _interval(name: str, odds: Floats, variance: Floats, zero: float) -> dict[str, Floats]:
    """Return log odds and their 95 % interval as columns of points; never -0.0."""
    margin = SURE * np.sqrt(np.maximum(variance, 0))
    ends = {name: odds, "low": odds - margin, "high": odds + margin}
    return {key: (zero + POINTS * end).round(2) + 0.0 for key, end in ends.items()}
