"""Ratings: the likeliest strengths, whoever writes the results down, with intervals that are wide where little is known."""

from collections import defaultdict
from itertools import combinations, permutations
from math import erf, exp, log, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.standings.ratings import PRIOR, rate
from arena.standings.scale import POINTS

COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]


def results_of(*rows):
    return pd.DataFrame(list(rows), columns=COLUMNS)


def sweep(units, bots="ab"):
    """The first bot wins both games of every opening."""
    return results_of(
        *(("line", opening, *bots, mover, 1, 1) for opening in range(units) for mover in (0, 1))
    )


def drawn_games(bots, openings, edge=0.0, seed=0, pairs=None, games=1):
    """Games between bots of random strength, on two variants, with an edge for the mover in log odds."""
    chance = np.random.default_rng(seed)
    strength = chance.normal(0, 1, bots)
    names = [f"bot-{number:03}" for number in range(bots)]
    rows = []
    for one, other in pairs or combinations(range(bots), 2):
        for variant in ("grid", "line"):
            for opening in range(openings):
                for mover in (0, 1):
                    gap = strength[one] - strength[other] + (edge if mover == 0 else -edge)
                    wins = int(chance.binomial(games, 1 / (1 + exp(-gap))))
                    rows.append((variant, opening, names[one], names[other], mover, wins, games))
    return results_of(*rows)


def by_bot(ratings, column="rating"):
    return dict(zip(ratings.table["bot"], ratings.table[column], strict=True))


def by_variant(ratings):
    return dict(zip(ratings.advantages["variant"], ratings.advantages["points"], strict=True))


def units(results):
    """The games of each unit: who moved first, who did not, and who won, game by game."""
    found = {}
    for variant, opening, first, second, mover, wins, games in results.itertuples(index=False):
        key = (frozenset((first, second)), variant, opening)
        moved, waited = (first, second) if mover == 0 else (second, first)
        for number in range(games):
            winner = first if number < wins else second
            found.setdefault(key, []).append((moved, waited, winner == moved))
    return found


def logistic(odds):
    return 1 / (1 + exp(-odds))


class Naive:
    """The model written out game by game, at the strengths that some ratings say."""

    def __init__(self, results, ratings, prior):
        self.units = units(results)
        self.prior = prior
        self.bots, self.variants = sorted(by_bot(ratings)), sorted(by_variant(ratings))
        self.names = [*self.bots, *self.variants]
        mean = self._anchor(ratings)
        self.at = {bot: (points - 1500) / POINTS + mean for bot, points in by_bot(ratings).items()}
        self.at |= {variant: points / POINTS for variant, points in by_variant(ratings).items()}

    def _anchor(self, ratings):
        """Where the field's mean lies, seen from the bot of mean strength that the prior's games are against."""
        strengths = [(points - 1500) / POINTS for points in by_bot(ratings).values()]
        low, high = -50.0, 50.0
        for _ in range(100):
            middle = (low + high) / 2
            if sum(0.5 - logistic(strength + middle) for strength in strengths) > 0:
                low = middle
            else:
                high = middle
        return low

    def direction(self, moved, waited, variant):
        """What a game's log odds are made of."""
        vector = np.zeros(len(self.names))
        vector[self.names.index(moved)] += 1
        vector[self.names.index(waited)] -= 1
        vector[self.names.index(variant)] += 1
        return vector

    def rows(self, key):
        """Direction, weight, chance and result of each game of a unit."""
        games = self.units[key]
        for moved, waited, is_won in games:
            odds = self.at[moved] - self.at[waited] + self.at[key[1]]
            yield self.direction(moved, waited, key[1]), 2 / len(games), logistic(odds), is_won

    def gradient(self):
        total = np.zeros(len(self.names))
        for key in self.units:
            for direction, weight, chance, is_won in self.rows(key):
                total += weight * (is_won - chance) * direction
        return total + [self.prior * (1 - 2 * logistic(self.at[name])) for name in self.names]

    def information(self):
        total = np.diag([self.prior * 2 * c * (1 - c) for c in self.chances()])
        for key in self.units:
            for direction, weight, chance, _ in self.rows(key):
                total += weight * chance * (1 - chance) * np.outer(direction, direction)
        return total

    def chances(self):
        return [logistic(self.at[name]) for name in self.names]

    def spread(self):
        """The covariance of the estimate: CR2 over units, one expected unit more, and the prior's own part.

        All of it is as much larger for each bot as its units on one opening are alike.
        """
        inverse = np.linalg.inv(self.information())
        scatter = np.diag([self.prior * (c**2 + (1 - c) ** 2) for c in self.chances()])
        expected = {name: [] for name in self.names}
        pulls = defaultdict(list)
        for key in self.units:
            rows = list(self.rows(key))
            design = np.array([row[0] for row in rows])
            known = np.array([weight * chance * (1 - chance) for _, weight, chance, _ in rows])
            left = np.array([weight * (is_won - chance) for _, weight, chance, is_won in rows])
            root = np.sqrt(known)
            leverage = root[:, None] * (design @ inverse @ design.T) * root
            values, vectors = np.linalg.eigh(np.eye(len(rows)) - leverage)
            freed = root * (vectors @ ((vectors.T @ (left / root)) / np.sqrt(values)))
            pull = design.T @ freed
            scatter += np.outer(pull, pull)
            for bot in key[0]:
                pulls[bot, key[1], key[2]].append(pull[self.names.index(bot)])
            for name in (*key[0], key[1]):
                expected[name].append(known.sum())
        scatter += np.diag([np.mean(expected[name]) for name in self.names])
        effects = naive_effects(pulls)
        wider = np.diag([sqrt(effects.get(name, 1.0)) for name in self.names])
        return inverse @ wider @ scatter @ wider @ inverse


def naive_effects(pulls):
    """The design effect of each bot, from the pulls of its units by bot, variant and opening."""
    together = squares = pairs = count = 0.0
    for bot, variant in {key[:2] for key in pulls}:
        clusters = [some for key, some in pulls.items() if key[:2] == (bot, variant)]
        every = [pull for some in clusters for pull in some]
        if len(clusters) < 2:
            continue
        mean = sum(every) / len(every)
        own = sum((pull - mean) ** 2 for pull in every) * len(every) / (len(every) - 1)
        sums = sum(sum(pull - mean for pull in some) ** 2 for some in clusters)
        together += sums * len(clusters) / (len(clusters) - 1) - own
        squares += own
        pairs += sum(len(some) * (len(some) - 1) for some in clusters)
        count += len(every)
    correlation = max(0.0, together / pairs / (squares / count)) if pairs and squares else 0.0
    effects = {}
    for bot in {key[0] for key in pulls}:
        sizes = [len(some) for key, some in pulls.items() if key[0] == bot]
        effects[bot] = 1 + (sum(n * n for n in sizes) / sum(sizes) - 1) * correlation
    return effects


def assert_summit(results, prior):
    """The gradient is no larger than the rounding of ratings to 0.01 points explains."""
    naive = Naive(results, rate(results, prior), prior)
    assert (np.abs(naive.gradient()) < 0.01 / POINTS * np.abs(naive.information()).sum(axis=0)).all()


def test_the_gradient_of_the_likelihood_vanishes():
    """At the ratings, no bot has won more or less than the model expects of it, with its prior."""
    for seed, prior in ((1, PRIOR), (2, 1.0), (3, 0.0)):
        results = drawn_games(5, 4, edge=0.5, seed=seed)
        assert_summit(results, prior)


def test_400_points_are_odds_of_ten_to_one():
    """Without a prior, ten wins in eleven games of each side put 400 points between two bots."""
    table = by_bot(rate(results_of(*(("line", 0, "a", "b", mover, 10, 11) for mover in (0, 1))), prior=0))
    assert table == {"a": 1700.0, "b": 1300.0}


def test_the_field_has_a_mean_of_1500():
    """Whoever plays, and the bots stand in order, equal ones by name."""
    table = rate(drawn_games(7, 3, seed=4)).table
    assert table["rating"].mean() == pytest.approx(1500, abs=0.01)
    assert table["rating"].is_monotonic_decreasing
    assert rate(results_of(("line", 0, "b", "a", 0, 1, 2), ("line", 0, "a", "b", 0, 1, 2))).table[
        "bot"
    ].tolist() == ["a", "b"]


def test_games_and_units_are_counted():
    """A bot's games and units, and those of all; repeats and sides make no unit of their own."""
    ratings = rate(
        results_of(
            ("line", 0, "a", "b", 0, 1, 3),
            ("line", 0, "b", "a", 0, 1, 2),
            ("line", 1, "b", "a", 1, 1, 1),
            ("grid", 0, "a", "c", 0, 1, 1),
        )
    )
    assert (ratings.games, ratings.units) == (7, 3)
    assert by_bot(ratings, "games") == {"a": 7, "b": 6, "c": 1}
    assert by_bot(ratings, "units") == {"a": 3, "b": 2, "c": 1}
    assert ratings.table.columns.tolist() == ["bot", "rating", "low", "high", "games", "units", "widening"]
    assert ratings.advantages.columns.tolist() == ["variant", "points", "low", "high"]


@pytest.mark.parametrize(("games", "seed"), [(1, 5), (3, 6), (1, 7), (2, 8)])
def test_the_spread_is_the_one_between_units(games, seed):
    """Intervals and superiority are those of a plain implementation, game by game and with its own algebra."""
    results = drawn_games(5, 3, edge=0.6, seed=seed, games=games)
    ratings = rate(results)
    naive = Naive(results, ratings, PRIOR)
    spread = naive.spread()
    bots = len(naive.bots)
    for number, bot in enumerate(naive.bots):
        contrast = np.concatenate([np.eye(bots)[number] - 1 / bots, np.zeros(len(naive.variants))])
        margin = 1.959964 * POINTS * sqrt(contrast @ spread @ contrast)
        width = by_bot(ratings, "high")[bot] - by_bot(ratings, "low")[bot]
        assert width / 2 == pytest.approx(margin, rel=1e-3)
    widths = ratings.advantages["high"] - ratings.advantages["low"]
    for width, number in zip(widths, range(bots, len(spread)), strict=True):
        assert width / 2 == pytest.approx(1.959964 * POINTS * sqrt(spread[number, number]), rel=1e-3)
    for (i, one), (j, other) in permutations(enumerate(naive.bots), 2):
        sd = sqrt(spread[i, i] + spread[j, j] - 2 * spread[i, j])
        z = (naive.at[one] - naive.at[other]) / sd
        assert ratings.superiority(one, other) == pytest.approx(0.5 * (1 + erf(z / sqrt(2))), abs=1e-3)


def test_ratings_agree_with_choix():
    """Without a prior and without an edge of the mover, strengths are the maximum likelihood of choix."""
    choix = pytest.importorskip("choix")
    results = drawn_games(8, 6, seed=7)
    # Of every game there is one in which the sides were swapped, so no edge is left to find.
    mirrored = pd.concat([results, results.assign(mover=1 - results["mover"])])
    ratings = rate(mirrored, prior=0)
    names = sorted(by_bot(ratings))
    won = [
        (names.index(moved), names.index(waited)) if is_won else (names.index(waited), names.index(moved))
        for games in units(mirrored).values()
        for moved, waited, is_won in games
    ]
    theirs = choix.opt_pairwise(len(names), won)
    ours = np.array([by_bot(ratings)[name] for name in names]) / POINTS
    assert np.abs((ours - ours.mean()) - (theirs - theirs.mean())).max() < 1e-3
    assert [abs(points) < 0.01 for points in by_variant(ratings).values()] == [True, True]


def test_a_mover_that_always_wins_says_nothing_about_bots():
    """Games that the mover won are explained by moving first, and the bots stay equal."""
    results = results_of(
        *(("line", opening, "a", "b", mover, 1 - mover, 1) for opening in range(8) for mover in (0, 1))
    )
    ratings = rate(results)
    assert by_bot(ratings) == {"a": 1500.0, "b": 1500.0}
    assert by_variant(ratings)["line"] > 400


def test_the_edge_of_moving_first_is_not_credited_to_bots():
    """A bot that happened to move first in all its games is not taken for a strong one."""
    rows = [("line", opening, "a", "b", mover, 1 - mover, 1) for opening in range(20) for mover in (0, 1)]
    rows += [("line", opening, "c", "a", 0, 1, 1) for opening in range(3)]
    ratings = by_bot(rate(results_of(*rows)))
    alone = by_bot(rate(results_of(*(row for row in rows if "c" in row))))
    assert ratings["c"] - ratings["a"] < alone["c"] - alone["a"]


def test_exact_copies_change_nothing():
    """Repeating the same games makes no rating sharper, even where only one unit is repeated."""
    results = drawn_games(5, 3, edge=0.4, seed=8)
    copied = results.assign(wins=9 * results["wins"], games=9 * results["games"])
    one_unit = results["variant"].eq("line") & results["opening"].eq(1) & results["first"].eq("bot-001")
    partly = results.where(~one_unit, copied).astype(results.dtypes)
    columns = ["bot", "rating", "low", "high", "units"]
    for repeated in (copied, partly):
        pd.testing.assert_frame_equal(rate(repeated).table[columns], rate(results).table[columns])
        pd.testing.assert_frame_equal(rate(repeated).advantages, rate(results).advantages)
    assert rate(copied).games == 9 * rate(results).games


def test_independent_repeats_sharpen():
    """Nine games that differ tell more than one of them, without being more units."""
    once, often = (rate(drawn_games(6, 8, seed=9, games=games)).table for games in (1, 9))
    assert often["units"].tolist() == once["units"].tolist()
    ratio = (often["high"] - often["low"]).mean() / (once["high"] - once["low"]).mean()
    assert 0.3 < ratio < 0.5


def test_winning_everything_gives_a_finite_rating_and_a_wide_interval():
    """However many units were won without a loss, the interval stays wide and its upper end does not come down."""
    low, high = zip(
        *(by_interval(rate(sweep(number)).table) for number in (4, 8, 16, 64, 256)),
        strict=True,
    )
    widths = [upper - lower for lower, upper in zip(low, high, strict=True)]
    assert np.isfinite(widths).all()
    assert list(low) == sorted(low)
    assert list(high) == sorted(high)
    assert widths == sorted(widths, reverse=True)
    assert min(widths) > 0.75 * widths[0] > 400
    # What n wins in n games exclude with 97.5 %: a chance below the n-th root of 2.5 %.
    for number, lower in zip((4, 8, 16, 64, 256), low, strict=True):
        chance = 0.025 ** (1 / (2 * number))
        assert 2 * (lower - 1500) < POINTS * log(chance / (1 - chance))


def by_interval(table):
    best = table.iloc[0]
    return best["low"], best["high"]


def test_pairs_that_all_end_one_to_one_are_not_taken_for_certainty():
    """Where there is no spread at all, the interval narrows with the units and not to nothing."""
    margins = []
    for number in (2, 4, 8, 16):
        results = results_of(
            *(
                ("line", opening, "a", "b", mover, (opening + mover) % 2, 1)
                for opening in range(number)
                for mover in (0, 1)
            )
        )
        low, high = by_interval(rate(results).table)
        margins.append((high - low) / 2)
    assert margins == sorted(margins, reverse=True)
    assert margins[0] > 60
    assert margins[-1] > 10


def test_groups_that_never_met_are_rated_with_wide_intervals():
    """Each group has the prior in common with the others only, and its mean at the field's."""
    pairs = [*combinations(range(3), 2), *combinations(range(3, 6), 2)]
    ratings = rate(drawn_games(6, 8, seed=10, pairs=pairs))
    together = rate(drawn_games(6, 8, seed=10))
    table = ratings.table
    assert np.isfinite(table[["rating", "low", "high"]]).all(axis=None)
    apart_width = (table["high"] - table["low"]).min()
    assert apart_width > 3 * (together.table["high"] - together.table["low"]).max()


def test_a_perfect_bot_and_a_hopeless_one_are_rated():
    """100 % against everybody and 0 % against everybody have finite ratings at the ends of the table."""
    results = drawn_games(8, 4, edge=0.5, seed=11)
    first, second = results["first"], results["second"]
    wins = results["wins"].mask(first == "bot-000", 1).mask(second == "bot-007", 1)
    table = rate(results.assign(wins=wins)).table
    assert table["bot"].iloc[[0, -1]].tolist() == ["bot-000", "bot-007"]
    assert np.isfinite(table[["rating", "low", "high"]]).all(axis=None)
    width = table["high"] - table["low"]
    assert width.iloc[[0, -1]].min() > 2 * width.iloc[1:-1].max()


def test_without_games_there_are_no_ratings():
    """An empty frame, or one in which a bot met nobody but itself, gives empty tables."""
    for results in (results_of(), results_of(("line", 0, "a", "a", 0, 1, 2), ("line", 0, "a", "b", 0, 0, 0))):
        ratings = rate(results)
        assert (ratings.games, ratings.units, len(ratings.table), len(ratings.advantages)) == (0, 0, 0, 0)
        assert ratings.table.columns.tolist() == [
            "bot",
            "rating",
            "low",
            "high",
            "games",
            "units",
            "widening",
        ]


def test_a_single_game_is_rated():
    """Its winner is above its loser, and nothing is sure."""
    ratings = rate(results_of(("line", 0, "a", "b", 0, 1, 1)))
    assert by_bot(ratings)["a"] > 1500 > by_bot(ratings)["b"]
    assert 0.5 < ratings.superiority("a", "b") < 0.9


@pytest.mark.parametrize(
    "results",
    [
        sweep(4),
        pd.concat([drawn_games(4, 3, seed=12), sweep(3, ("bot-000", "never"))]),
        drawn_games(4, 6, seed=13, pairs=[(0, 1), (2, 3)]),
        results_of(
            *(("line", opening, "a", "b", mover, 1 - mover, 1) for opening in (0, 1) for mover in (0, 1))
        ),
    ],
    ids=["won all", "never won", "never met", "mover always won"],
)
def test_without_a_prior_what_has_no_maximum_is_refused(results):
    """It is said in a sentence, and not searched for ever."""
    with pytest.raises(ValueError, match="without a prior these games bound no strengths"):
        rate(results, prior=0)


def test_long_chains_are_fitted_too():
    """Where each bot has met its neighbours only, the summit is as exact; steps are then solved for otherwise."""
    pairs = [(number, number + 1) for number in range(150)]
    results = drawn_games(151, 2, edge=0.3, seed=14, pairs=pairs)
    assert_summit(results, PRIOR)


def test_superiority_is_a_probability():
    """Of two bots one is better: the likelihoods add up to 1, grow with the rating, and are 1/2 for a bot itself."""
    ratings = rate(drawn_games(6, 4, seed=15))
    names = ratings.table["bot"].tolist()
    for one, other in combinations(names, 2):
        assert ratings.superiority(one, other) + ratings.superiority(other, one) == pytest.approx(1)
        assert ratings.superiority(one, other) >= 0.5
    assert ratings.superiority(names[0], names[0]) == 0.5
    assert ratings.superiority(names[0], names[-1]) > 0.99
    with pytest.raises(KeyError):
        ratings.superiority(names[0], "nobody")


def test_ratings_cannot_be_changed():
    """Neither by an assignment nor through the tables that they give out."""
    ratings = rate(drawn_games(3, 2, seed=16))
    before = ratings.table.copy()
    with pytest.raises(AttributeError, match="cannot be changed"):
        ratings.games = 0
    for table in (ratings.table, ratings.advantages):
        table.iloc[0, 1] = 0.0
    pd.testing.assert_frame_equal(ratings.table, before)
    assert by_variant(ratings)["grid"] != 0


NAMES = ["ada", "bea", "cyn", "dot"]
SOME_RESULTS = st.lists(
    st.tuples(
        st.sampled_from(["line", "grid"]),
        st.integers(0, 2),
        st.permutations(NAMES).map(lambda names: names[:2]),
        st.integers(0, 1),
        st.integers(0, 3),
        st.integers(0, 3),
    ).map(lambda row: (*row[:2], *row[2], row[3], row[4], row[4] + row[5])),
    min_size=1,
    max_size=30,
)


def tables_of(results):
    ratings = rate(results)
    return ratings.table, ratings.advantages


def assert_same(results, others):
    for ours, theirs in zip(tables_of(results), tables_of(others), strict=True):
        pd.testing.assert_frame_equal(ours, theirs, check_exact=True)


@given(SOME_RESULTS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_the_way_of_writing_results_down_does_not_matter(rows, chance):
    """Order of rows, which bot is called first, and games in one row or several give equal tables."""
    results = results_of(*rows)
    chance.shuffle(rows)
    assert_same(results, results_of(*rows))
    turned = [
        (variant, opening, second, first, 1 - mover, games - wins, games)
        if chance.random() < 0.5
        else (variant, opening, first, second, mover, wins, games)
        for variant, opening, first, second, mover, wins, games in rows
    ]
    assert_same(results, results_of(*turned))
    single = [(*row[:5], int(number < row[5]), 1) for row in turned for number in range(row[6])]
    assert_same(results, results_of(*single))


@given(SOME_RESULTS, st.permutations(NAMES))
@settings(deadline=None, max_examples=40)
def test_names_do_not_matter(rows, names):
    """Bots under other names have the same ratings; sums in another order differ in digits that are not shown."""
    results = results_of(*rows)
    other = dict(zip(NAMES, names, strict=True))
    renamed = results.assign(first=results["first"].map(other), second=results["second"].map(other))
    ours, theirs = rate(results), rate(renamed)
    for column in ("rating", "low", "high"):
        there = by_bot(theirs, column)
        for bot, points in by_bot(ours, column).items():
            assert there[other[bot]] == pytest.approx(points, abs=0.011)


@given(SOME_RESULTS)
@settings(deadline=None, max_examples=60)
def test_all_results_give_finite_ratings(rows):
    """Whatever was played, there are ratings within their intervals, around 1500."""
    table, advantages = tables_of(results_of(*rows))
    assert np.isfinite(table[["rating", "low", "high"]].to_numpy()).all()
    assert np.isfinite(advantages[["points", "low", "high"]].to_numpy()).all()
    assert (table["low"] < table["rating"]).all()
    assert (table["rating"] < table["high"]).all()
    if len(table):
        assert table["rating"].mean() == pytest.approx(1500, abs=0.01)


@given(SOME_RESULTS, st.data())
@settings(deadline=None, max_examples=60)
def test_a_win_more_never_looks_like_a_worse_chance(rows, data):
    """If a lost game had been won, the same bot would be given better odds in such a game."""
    lost = [number for number, row in enumerate(rows) if row[5] < row[6]]
    if lost:
        number = data.draw(st.sampled_from(lost))
        better = [(*row[:5], row[5] + (at == number), row[6]) for at, row in enumerate(rows)]
        assert shown_odds(better, rows[number]) > shown_odds(rows, rows[number])


def shown_odds(rows, game):
    """What ratings and advantages say of a game, in points."""
    ratings = rate(results_of(*rows))
    variant, _, first, second, mover = game[:5]
    edge = by_variant(ratings)[variant]
    return by_bot(ratings)[first] - by_bot(ratings)[second] + (edge if mover == 0 else -edge)


def test_a_win_more_raises_the_rating_where_both_sides_were_played():
    """In a round robin, whichever game a bot had won instead of lost, it would stand higher, and the other lower."""
    results = drawn_games(4, 2, edge=0.4, seed=17)
    before = by_bot(rate(results))
    for row in results[results["wins"] == 0].itertuples():
        after = by_bot(rate(results.assign(wins=results["wins"].mask(results.index == row.Index, 1))))
        assert after[row.first] > before[row.first]
        assert after[row.second] < before[row.second]
