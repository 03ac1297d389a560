"""Stretches of the plan: what is played within seconds is put together by pairing, and nothing else is."""

from collections import OrderedDict
from itertools import combinations
from math import inf

from arena.executors.reserve import MOST_WAITING
from arena.formats.round_robin import every_two
from arena.log.reading import PlannedGame
from arena.tournament.stretches import MOST_BOTS, STRETCH_SECONDS, bundle, stretches

SWEEPS = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")] * 3


def planned():
    return [
        PlannedGame(str(number), "grid-lock", number, 0, *sides, "") for number, sides in enumerate(SWEEPS)
    ]


def test_quick_games_are_put_together_by_pairing():
    """If all games take but a moment there is one stretch: each pairing once, its games as planned."""
    (stretch,) = stretches(planned(), lambda game: 0.001)
    assert list(stretch) == [frozenset("ab"), frozenset("ac"), frozenset("bc")]
    assert [game.game for game in stretch[frozenset("ab")]] == ["0", "1", "6", "7", "12", "13"]


def test_games_of_bots_that_think_keep_the_order_of_the_plan():
    """If a game takes long, a stretch has what the plan has of one pairing in a row."""
    found = list(stretches(planned(), lambda game: STRETCH_SECONDS))
    assert [game.game for stretch in found for games in stretch.values() for game in games] == [
        game.game for game in planned()
    ]
    assert [len(games) for stretch in found for games in stretch.values()] == [2] * 9


def test_every_game_is_in_one_stretch_whatever_it_takes():
    """Nothing is lost or doubled where some games are quick and others are not."""
    found = stretches(planned(), lambda game: 3.0 if "c" in (game.first, game.second) else 0.1)
    games = [game.game for stretch in found for games in stretch.values() for game in games]
    assert sorted(games, key=int) == [game.game for game in planned()]


def test_in_a_large_field_few_bots_meet_many_in_a_row():
    """All pairings come, and a bot that was met lately is met again before many others come."""
    bots = [f"bot-{number:03}" for number in range(100)]
    games = [
        PlannedGame(f"{one} {other}", "grid-lock", 0, 0, one, other, "") for one, other in every_two(bots)
    ]
    (stretch,) = stretches(games, lambda game: 0.001, len(bots))
    assert set(stretch) == {frozenset(pair) for pair in combinations(bots, 2)}
    alive, starts = OrderedDict(), 0
    for pairing in stretch:
        for bot in pairing:
            starts += bot not in alive
            alive[bot] = True
            alive.move_to_end(bot)
        while len(alive) > MOST_WAITING:
            alive.popitem(last=False)
    assert starts < len(stretch) / 10


def test_pairings_with_few_games_are_bundled_between_few_bots():
    """Every game once, in the order of the stretch; no bundle takes too long or has too many bots."""
    bots = [f"bot-{number:03}" for number in range(40)]
    games = [
        PlannedGame(f"{one} {other}", "grid-lock", 0, 0, one, other, "") for one, other in every_two(bots)
    ]
    (stretch,) = stretches(games, lambda game: 0.001, len(bots))
    bundles = list(bundle(stretch, lambda game: 0.001, 0.0305))
    assert [pairing for some in bundles for pairing in some] == list(stretch)
    assert max(map(len, bundles)) == 30
    assert max(len(frozenset().union(*some)) for some in bundles) <= MOST_BOTS
    assert len(bundles) < len(stretch) / 15


def test_who_may_not_play_among_others_is_alone_in_its_unit():
    """Bots that think, and bots of which nobody knows, play against one at a time."""
    (stretch,) = stretches(planned(), lambda game: 0.001)
    bundles = bundle(stretch, lambda game: inf if "c" in (game.first, game.second) else 0.001, 1.0)
    assert [list(some) for some in bundles] == [[frozenset(pair)] for pair in ("ab", "ac", "bc")]


def test_no_games_are_no_stretch():
    """A plan that is complete has nothing to hand out."""
    assert list(stretches([], lambda game: 1.0)) == []
