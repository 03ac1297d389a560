"""Seeds: every bot has its own, and it tells nothing about the opponent."""

from itertools import combinations
from typing import Any

import pytest

from arena.game import variant
from arena.referee.game import GameSpec
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import logged, play_games

SPEC = GameSpec("0" * 16, variant("blockade-5x5"), "me", "you", "a" * 64, "b" * 64, (3, 7), 8721)
OTHERS: dict[str, dict[str, Any]] = {
    "another opponent": {"second": "they", "second_version": "c" * 64, "game": "1" * 16},
    "another id": {"game": "2" * 16},
    "another number of the opening": {"opening_number": 5},
    "another name": {"first": "mine"},
}
CHANGES: dict[str, tuple[int, dict[str, Any]]] = {
    "side": (1, {"second_version": "a" * 64}),
    "opening": (0, {"opening": (7, 3)}),
    "no opening": (0, {"opening": ()}),
    "repeat": (0, {"repeat": 1}),
    "variant": (0, {"variant": variant("blockade-line")}),
    "version": (0, {"first_version": "d" * 64}),
    "seed": (0, {"seed": 8722}),
}


@pytest.mark.parametrize("what", OTHERS)
def test_a_seed_tells_nothing_about_the_opponent(what):
    """Whoever plays the other side, and whatever the game is called, the seed is the same."""
    assert SPEC._replace(**OTHERS[what]).bot_seed(0) == SPEC.bot_seed(0)


def test_a_seed_depends_on_everything_else():
    """Side, opening, repeat, variant, the bot's own files and the tournament's seed each give another one."""
    seeds = {"as it is": SPEC.bot_seed(0)}
    seeds |= {what: SPEC._replace(**changes).bot_seed(side) for what, (side, changes) in CHANGES.items()}
    assert all(seeds[one] != seeds[other] for one, other in combinations(seeds, 2))
    assert all(0 <= seed < 2**53 for seed in seeds.values())


def test_two_copies_of_a_bot_have_two_seeds():
    """In a game against a copy of itself a bot cannot know the other's chance."""
    twins = SPEC._replace(second_version=SPEC.first_version)
    assert twins.bot_seed(0) != twins.bot_seed(1)


def test_older_folders_keep_their_seeds():
    """In a folder of ids of format 2 chance is what it was: it hashed the id of the game."""
    older = SPEC._replace(id_format=2)
    assert older.bot_seed(0) != SPEC.bot_seed(0)
    assert older._replace(game="1" * 16).bot_seed(0) != older.bot_seed(0)
    assert older.bot_seed(0) == 7625285176368676


def test_chance_is_the_same_against_opponents_that_play_alike(tmp_path):
    """Two opponents with other names and files and the same moves: the games are the same, move by move."""
    run = play_games(
        tmp_path, {"chance": CHANCE, "first": FIRST, "other": FIRST + "# another file\n"}, openings=4
    )
    games = {
        bot: {
            (game.variant, game.opening, game.first == "chance"): game.moves
            for game in logged(run)
            if {"chance", bot} == {game.first, game.second}
        }
        for bot in ("first", "other")
    }
    assert len(games["first"]) == 16
    assert games["first"] == games["other"]
