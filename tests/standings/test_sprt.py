"""Is A better than B? The ratio against brute force, and the errors of thousands of simulated tests."""

from itertools import product
from math import inf, isnan, log

import numpy as np
import pytest

from arena.standings import sprt
from arena.standings.sprt import Bounds, Verdict, log_likelihood_ratio
from benchmarks.versus import SETTINGS, TRUTHS, fixed_size, printed_interval, simulate

TESTS = 2_000
LONG_TRUTHS = ("200 points for the side to move", "85 % of pairs split", "10 % of pairs split")
SOME_TRUTHS = [pytest.param(name, marks=pytest.mark.long) if name in LONG_TRUTHS else name for name in TRUTHS]
SOME_BOUNDS = [Bounds(), Bounds(-15, 15), Bounds(-30, 0), Bounds(20, 21), Bounds(0, 400), Bounds(-700, 300)]


def all_counts(pairs):
    """Every way in which so many pairs can come out."""
    return np.array(
        [(lost, pairs - lost - won, won) for lost in range(pairs + 1) for won in range(pairs + 1 - lost)]
    )


def best_on_a_grid(counts, mean):
    """The greatest log likelihood of frequencies with that mean, tried one by one by the share of splits."""
    split = np.linspace(0, 2 * min(mean, 1 - mean), 200_001)[1:-1]
    frequencies = np.stack([1 - mean - split / 2, split, mean - split / 2])
    return (np.array(counts)[:, np.newaxis] * np.log(frequencies)).sum(axis=0).max()


def bisected(weights, away):
    """The multiplier, by halving the interval in which it must lie until nothing changes."""
    low, high = np.full(len(weights), -1 / away[2]), np.full(len(weights), -1 / away[0])
    for _ in range(200):
        middle = (low + high) / 2
        is_below = (weights * away / (1 + middle[:, np.newaxis] * away)).sum(axis=1) > 0
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return middle


@pytest.mark.parametrize("bounds", SOME_BOUNDS)
@pytest.mark.parametrize(
    "counts", [(0, 0, 1), (0, 1, 0), (3, 0, 0), (2, 5, 4), (0, 7, 3), (40, 300, 60), (9, 0, 9)]
)
def test_the_ratio_is_that_of_the_best_frequencies(counts, bounds):
    """Trying all frequencies on a fine grid finds the same maxima, with the credited pairs counted in."""
    credited = np.array(counts) + sprt.BLANK
    low, high = (best_on_a_grid(credited, sprt.expected_score(points)) for points in bounds[:2])
    assert log_likelihood_ratio(counts, bounds) == pytest.approx(high - low, abs=1e-6)


@pytest.mark.parametrize("mean", [0.5, 0.5 + 1e-12, 0.5001, 0.543, 0.457, 0.9, 0.03])
def test_the_multiplier_is_the_root_that_bisection_finds(mean):
    """To twelve digits, from no pairs to ten million, however uneven."""
    weights = np.floor(10 ** np.random.default_rng(1).uniform(-1, 7, (5_000, 3))) + sprt.BLANK
    away = sprt.SCORES - mean
    found = sprt._multiplier(weights, away)
    np.testing.assert_allclose(found, bisected(weights, away), rtol=0, atol=1e-12 / min(mean, 1 - mean))
    assert (1 + found[:, np.newaxis] * away > 0).all()


@pytest.mark.parametrize("bounds", SOME_BOUNDS)
def test_seen_from_the_other_bot_the_ratio_changes_its_sign(bounds):
    """A against B by low and high is B against A by -high and -low."""
    counts = np.concatenate([all_counts(pairs) for pairs in (0, 1, 2, 9, 60)])
    mirrored = log_likelihood_ratio(counts[:, ::-1], bounds._replace(low=-bounds.high, high=-bounds.low))
    np.testing.assert_allclose(mirrored, -log_likelihood_ratio(counts, bounds), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("bounds", SOME_BOUNDS)
def test_one_more_win_never_lowers_the_ratio(bounds):
    """Whether a lost pair becomes a split one or a split one a won one."""
    for pairs in (1, 2, 9, 60):
        counts = all_counts(pairs)
        before = np.asarray(log_likelihood_ratio(counts, bounds))
        for worse in (0, 1):
            step = np.eye(3, dtype=int)[worse + 1] - np.eye(3, dtype=int)[worse]
            possible = counts[:, worse] > 0
            after = log_likelihood_ratio(counts[possible] + step, bounds)
            assert (after > before[possible]).all()


def test_many_counts_are_judged_as_each_alone():
    """An array of counts of any shape has the ratios of its rows."""
    counts = np.array(list(product(range(4), repeat=3))).reshape(8, 8, 3)
    together = log_likelihood_ratio(counts, Bounds())
    assert together.shape == (8, 8)
    for at in np.ndindex(8, 8):
        assert together[at] == pytest.approx(sprt.test(tuple(counts[at]), Bounds()).llr, abs=1e-12)


def test_the_limits_are_those_of_wald():
    """For 5 % and 5 % the ratio has to reach 19 to 1 either way; unequal errors move one limit each."""
    assert Bounds().upper == pytest.approx(log(19))
    assert Bounds().lower == pytest.approx(-log(19))
    assert Bounds(alpha=0.1, beta=0.02).upper == pytest.approx(log(9.8))
    assert Bounds(alpha=0.1, beta=0.02).lower == pytest.approx(log(0.02 / 0.9))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 0, 0), Verdict.UNKNOWN),
        ((0, 0, 36), Verdict.BETTER),
        ((0, 38, 0), Verdict.NOT_BETTER),
        ((36, 0, 0), Verdict.NOT_BETTER),
        ((100, 200, 150), Verdict.BETTER),
        ((50, 100, 55), Verdict.UNKNOWN),
        ((250, 500, 250), Verdict.NOT_BETTER),
    ],
)
def test_the_verdict_is_where_the_ratio_stands(counts, expected):
    """At or beyond a limit there is a verdict, between them there is none."""
    state = sprt.test(counts, Bounds())
    assert (state.counts, state.verdict) == (counts, expected)
    assert (state.llr >= Bounds().upper) == (expected is Verdict.BETTER)
    assert (state.llr <= Bounds().lower) == (expected is Verdict.NOT_BETTER)


def test_a_handful_of_pairs_gives_no_verdict():
    """By default nothing that 32 pairs can do ends a test, not even if all of them come out alike."""
    for pairs in range(33):
        ratios = log_likelihood_ratio(all_counts(pairs), Bounds())
        assert (ratios < Bounds().upper).all()
        assert (ratios > Bounds().lower).all()


def one_by_one(pairs, bounds):
    """Look after every pair and stop at the first verdict: how it came out, and after how many pairs."""
    counts = [0, 0, 0]
    for wins in pairs:
        counts[wins] += 1
        state = sprt.test((counts[0], counts[1], counts[2]), bounds)
        if state.verdict is not Verdict.UNKNOWN:
            break
    return state, state.pairs


@pytest.mark.parametrize("bounds", SOME_BOUNDS)
def test_the_first_verdict_is_that_of_looking_after_every_pair(bounds):
    """The verdict, the ratio and the estimate are those of that pair; the counts are of all."""
    random = np.random.default_rng(8721)
    for chances in ([0.2, 0.5, 0.3], [0.3, 0.5, 0.2], [0.05, 0.9, 0.05], [0.0, 0.4, 0.6], [0.5, 0.5, 0.0]):
        pairs = random.choice(3, 300, p=chances).tolist()
        looked, _ = one_by_one(pairs, bounds)
        found = sprt.first_verdict(pairs, bounds)
        assert found.verdict is looked.verdict
        assert found.llr == pytest.approx(looked.llr)
        assert found.counts == tuple(map(pairs.count, range(3)))
        assert found.at_end.counts == looked.counts
        assert found.difference == looked.difference


def test_nothing_after_the_first_verdict_changes_it():
    """Whatever is played after the pair at which a test ended, even if it points the other way."""
    bounds, better = Bounds(0, 200), [2, 1, 2] * 20
    state, number = one_by_one(better, bounds)
    assert state.verdict is Verdict.BETTER
    assert number < 60
    for after in ([], [0] * 500, [2] * 500, [1, 0] * 50):
        found = sprt.first_verdict(better[:number] + after, bounds)
        assert found.verdict is Verdict.BETTER
        assert found.llr == pytest.approx(state.llr)
        assert found.pairs == number + len(after)
        assert found.difference == state.difference
    assert sprt.test((500, 20, 40), bounds).verdict is Verdict.NOT_BETTER
    assert sprt.first_verdict(better[: number - 1], bounds).verdict is Verdict.UNKNOWN


def test_before_the_first_pair_nothing_is_known():
    """No pairs are a state like any other, whose ratio is nothing."""
    assert sprt.first_verdict([], Bounds()) == sprt.State((0, 0, 0), 0.0, Verdict.UNKNOWN)


def test_the_score_is_wins_per_game():
    """A split pair is one win in two games; without pairs there is no score."""
    assert sprt.test((1, 2, 5), Bounds()).score == 12 / 16
    assert sprt.test((1, 2, 5), Bounds()).pairs == 8
    assert isnan(sprt.test((0, 0, 0), Bounds()).score)


@pytest.mark.parametrize(
    "counts", [(0, 0, 0), (0, 0, 1), (0, 0, 5_000), (0, 5_000, 0), (700, 0, 0), (3, 9, 4)]
)
def test_the_difference_is_finite_and_mirrors(counts):
    """Whatever was won, and seen from the other bot it is the same the other way round."""
    points, low, high = sprt.test(counts, Bounds(-30, 30)).difference
    assert -inf < low < points < high < inf
    mirrored = sprt.test(counts[::-1], Bounds(-30, 30)).difference
    assert mirrored == pytest.approx((-points, -high, -low), abs=1e-6)


@pytest.mark.parametrize("name", SOME_TRUTHS)
@pytest.mark.long
def test_the_interval_holds_the_truth_in_19_of_20(name):
    """For 200 pairs that no test stopped, whichever way the two games of a pair go together."""
    rng = np.random.default_rng(3)
    for points in (0, 30):
        drawn = rng.multinomial(200, TRUTHS[name](sprt.expected_score(points)), size=500)
        rows = [tuple(counts) for counts in drawn.tolist()]
        intervals = np.array([printed_interval(row, Verdict.UNKNOWN, Bounds(0, 0.1)) for row in rows])
        held = ((intervals[:, 1] <= points) & (points <= intervals[:, 2])).mean()
        assert 0.93 < held < 0.98


def assert_near(share, asked):
    """An error rate of simulated tests is at most what was asked, but for chance, and at least half of it."""
    assert asked / 2 <= share <= asked + 2 * (asked * (1 - asked) / TESTS) ** 0.5


@pytest.mark.parametrize("every", [1, pytest.param(8, marks=pytest.mark.long)])
@pytest.mark.parametrize("bounds", SETTINGS, ids=["5-5", "10-2"])
@pytest.mark.parametrize("name", SOME_TRUTHS)
def test_errors_are_as_rare_as_was_asked_and_pairs_are_saved(name, bounds, every):
    """Neither error is too frequent, nor much too rare, and on average a test of fixed size takes longer."""
    truth = TRUTHS[name]
    low, high = (
        simulate(truth(sprt.expected_score(points)), bounds, every, TESTS, seed)
        for seed, points in enumerate((bounds.low, bounds.high))
    )
    assert_near(low.better, bounds.alpha)
    assert_near(high.not_better, bounds.beta)
    assert low.unknown == high.unknown == 0
    assert max(low.pairs, high.pairs) < fixed_size(truth, bounds)


@pytest.mark.parametrize("points", [-60, -30, 60])
def test_beyond_the_bounds_errors_are_rarer(points):
    """A weaker bot is hardly ever called better, nor one far stronger turned away."""
    ended = simulate(TRUTHS["independent games"](sprt.expected_score(points)), Bounds(), 8, TESTS, seed=4)
    assert (ended.better if points < 0 else ended.not_better) < 0.01
