"""Who needs second chances: chance strikes bots in proportion to their games, and nobody is named for it."""

import random
from collections import Counter

import pytest

from arena.standings.replays import LEVEL, more_than_chance, tail
from tests.tournament.small import change, copied, play

FIELD = {f"bot{number}": 100 for number in range(8)}


def test_the_tail_is_that_of_a_binomial():
    """Against counting all outcomes of a few trials."""
    assert tail(0, 5, 0.3) == pytest.approx(1)
    assert tail(5, 5, 0.5) == pytest.approx(1 / 32)
    assert tail(2, 3, 0.25) == pytest.approx(3 * 0.25**2 * 0.75 + 0.25**3)


def test_chance_names_hardly_anybody():
    """In fields in which the machine strikes at random, somebody is named as seldom as was said."""
    chance, named = random.Random(1), 0
    for _ in range(2000):
        struck = Counter(chance.choices(list(FIELD), k=chance.randrange(1, 60)))
        named += bool(more_than_chance(struck, FIELD))
    assert named <= 2000 * LEVEL * 1.5


def test_who_brings_it_about_is_named():
    """Ten of twelve are one bot's; few games of its own make that the more telling."""
    assert more_than_chance({"bot1": 10, "bot2": 1, "bot3": 1}, FIELD) == ["bot1"]
    assert more_than_chance({"bot1": 1}, FIELD) == []
    assert more_than_chance({}, FIELD) == []


def test_many_replays_are_counted_too():
    """Thousands of them overflow nothing, and bots that nobody knows count for nothing."""
    assert more_than_chance({"a": 3000, "b": 3010}, {"a": 5000, "b": 5000}) == []
    assert more_than_chance({"a": 3000, "b": 9}, {"a": 5000, "b": 5000}) == ["a"]
    assert more_than_chance({"mallory": 9}, {"a": 5}) == []
    assert more_than_chance({"a": 9}, {}) == []


def test_two_bots_need_more_evidence():
    """Where each plays every game, half of all cases are each one's by chance."""
    assert more_than_chance({"a": 5}, {"a": 50, "b": 50}) == []
    assert more_than_chance({"a": 12}, {"a": 50, "b": 50}) == ["a"]


def test_a_table_says_that_games_were_played_again_and_by_whom(tmp_path):
    """Under the standings stand their number and the bot that is named; forfeits are no second chances."""
    from arena.reports.showing import leaderboard
    from arena.results.run import Run

    whole = play(tmp_path / "whole")
    assert "played again" not in leaderboard(whole)
    nobody = copied(whole, tmp_path / "nobody")
    change(
        nobody,
        "INSERT INTO replays SELECT game, variant, first, second, '', 'why', 'when', 1 FROM games LIMIT 1",
    )
    assert "1 game was played again, which counts, because a batch of them took long" in leaderboard(Run(nobody.folder))  # fmt: skip
    insert = "INSERT INTO replays SELECT game, variant, first, second, ?, 'why', 'when', 1 FROM games WHERE "
    for bot, is_named in (("chance", True), ("liar", False)):
        run = copied(whole, tmp_path / bot)
        change(run, f"{insert} '{bot}' IN (first, second)", bot)
        text = leaderboard(Run(run.folder))
        assert f"24 games were played again, which counts, because a bot failed in a batch of them: {bot} 24\n" in text  # fmt: skip
        assert (
            f"{bot}: its games had to be played again more often than chance explains" in text
        ) is is_named
