"""Stretches of the plan: what is played within seconds is put together by pairing, and nothing else is."""

from arena.log.reading import PlannedGame
from arena.tournament.stretches import STRETCH_SECONDS, stretches

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


def test_no_games_are_no_stretch():
    """A plan that is complete has nothing to hand out."""
    assert list(stretches([], lambda game: 1.0)) == []
