"""Shares: their intervals count openings, and hold what they say."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.standings.shares import measure_shares, wilson

COLUMNS = ["bot", "variant", "opening", "won", "of"]


def frame(*rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def naive_shares(rows):
    """The definition, one loop after another: spread between openings over the largest possible, pooled."""
    bots = sorted({bot for bot, *_, of in rows if of})
    spread = largest = 0.0
    openings, found = 0, {}
    for bot in bots:
        own: dict[tuple[str, int], list[int]] = {}
        for name, variant, opening, won, of in rows:
            if name == bot and of:
                sums = own.setdefault((variant, opening), [0, 0])
                sums[0] += won
                sums[1] += of
        share = sum(won for won, _ in own.values()) / sum(of for _, of in own.values())
        for chosen in {variant for variant, _ in own}:
            away = [won - share * of for (variant, _), (won, of) in own.items() if variant == chosen]
            mean, times = (
                (sum(away) / len(away), len(away) / (len(away) - 1)) if len(away) > 1 else (0.0, 1.0)
            )
            spread += times * sum((one - mean) ** 2 for one in away)
        squares = sum(of**2 for _, of in own.values())
        largest += share * (1 - share) * squares
        openings += len(own)
        found[bot] = (share, sum(of for _, of in own.values()) ** 2 / squares)
    part = min(1.0, (spread + largest / openings) / (largest + largest / openings)) if largest else 1.0
    return {bot: (share, *wilson(share, most / part), most / part) for bot, (share, most) in found.items()}


ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(["line", "grid"]),
        st.integers(0, 3),
        st.integers(0, 3),
        st.integers(0, 4),
    ).map(lambda row: (*row[:3], min(row[3], row[4]), row[4])),
    min_size=1,
)


@settings(max_examples=50)
@given(ROWS)
def test_shares_are_as_defined(rows):
    """Whatever the counts, also where nothing was won, or everything, or there is one opening only."""
    found, expected = measure_shares(frame(*rows), "won", "of"), naive_shares(rows)
    assert found.keys() == expected.keys()
    for bot, share in found.items():
        assert tuple(share) == pytest.approx(expected[bot], rel=1e-9, abs=1e-12)
        assert 0 <= share.low <= share.share <= share.high <= 1


@settings(max_examples=30)
@given(ROWS, st.integers(2, 20))
def test_playing_the_same_again_changes_nothing(rows, times):
    """No share, and no interval."""
    once = measure_shares(frame(*rows), "won", "of")
    often = measure_shares(frame(*rows * times), "won", "of")
    for bot in once:
        assert tuple(often[bot]) == pytest.approx(tuple(once[bot]), rel=1e-9)


def test_openings_that_are_won_or_lost_as_a_whole_are_the_evidence():
    """Ten games on each of four openings say what four say, and not what forty do."""
    rows = [("a", "line", number, 10 * (number % 2), 10) for number in range(4)]
    assert measure_shares(frame(*rows), "won", "of")["a"].trials == pytest.approx(4)


def test_openings_that_are_alike_say_more_but_not_everything():
    """All are won by half: the next one may still be another, and counts as one."""
    rows = [("a", "line", number, 5, 10) for number in range(4)]
    assert measure_shares(frame(*rows), "won", "of")["a"].trials == pytest.approx(4 * 5)


def test_who_won_everything_has_an_interval_of_its_openings():
    """As wide as that of so many independent games."""
    rows = [("a", "line", number, 30, 30) for number in range(8)]
    found = measure_shares(frame(*rows), "won", "of")["a"]
    assert (found.low, found.high) == (wilson(1.0, 8)[0], 1.0)


def test_without_games_there_is_nothing():
    """Neither a row nor a warning."""
    assert measure_shares(frame(), "won", "of") == {}
    assert measure_shares(frame(("a", "line", 0, 0, 0)), "won", "of") == {}


@pytest.mark.parametrize("sd", [pytest.param(0.0, marks=pytest.mark.long), 0.15, 0.3])
@pytest.mark.parametrize("openings", [3, pytest.param(8, marks=pytest.mark.long)])
def test_intervals_hold_where_openings_suit_some_bots(sd, openings):
    """The share over all openings is inside in at least 93 % of cases, however much openings differ."""
    draw = np.random.default_rng(int(100 * sd) + openings)
    inside = []
    for _ in range(60):
        means = draw.uniform(0.25, 0.75, 8)
        chances = means[:, None] + sd * draw.choice([-1.0, 1.0], (8, 2 * openings)) * 0.8
        won = draw.binomial(14, np.clip(chances, 0, 1))
        rows = [
            (f"b{bot}", f"v{at % 2}", at // 2, int(won[bot, at]), 14)
            for bot in range(8)
            for at in range(2 * openings)
        ]
        found = measure_shares(frame(*rows), "won", "of")
        true = (np.clip(means - 0.8 * sd, 0, 1) + np.clip(means + 0.8 * sd, 0, 1)) / 2
        inside += [found[f"b{bot}"].low <= true[bot] <= found[f"b{bot}"].high for bot in range(8)]
    assert np.mean(inside) > 0.93


def test_wilsons_interval_is_that_of_his_paper():
    """Its ends are where the share is 1.96 standard errors away, with the error that the end itself has."""
    for share, trials in ((0.3, 10), (0.5, 4), (0.95, 200)):
        for end in wilson(share, trials):
            assert abs(share - end) == pytest.approx(1.959964 * sqrt(end * (1 - end) / trials), rel=1e-5)


@given(st.integers(1, 10**6).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))))
def test_an_interval_holds_its_share_and_lies_between_nothing_and_all(counts):
    """Also at 0 and 1, where rounding would leave a perfect bot just outside its own interval."""
    part, whole = counts
    low, high = wilson(part / whole, whole)
    assert 0 <= low <= part / whole <= high <= 1
