"""Distinct games: copies are counted once, also those that a symmetry of the board turns into each other."""

import random

import numpy as np
import pytest

import arena
from arena.game.board import Board
from arena.standings import distinct as module
from arena.standings.distinct import distinct

BOARDS = {
    name: arena.variant(name).board
    for name in [
        "snort:grid-3x3",
        "snort:grid-2x4",
        "kayles:ring-6",
        "col:torus-3x3",
        "snort:line-5",
        "snort:hex-3x3",
    ]
}
BOARDS["star"] = Board("graph", 6, [(0, other) for other in range(1, 6)])
BOARDS["odd"] = Board("graph", 7, [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 5), (5, 6), (4, 6)])
BOARDS["loose"] = Board("graph", 7, [])
BOARDS["one"] = Board("graph", 1, [])


def test_the_same_moves_of_the_same_bots_on_the_same_sides_are_one_game():
    """Other bots, other sides, another variant or another move make another game."""
    board = {"v": Board("graph", 3, [(0, 1)], generators=[]), "w": Board("graph", 3, [(0, 1)], generators=[])}
    games = [("v", "a", "b", "0 2"), ("v", "a", "b", "0 2"), ("v", "b", "a", "0 2"), ("v", "a", "c", "0 2")]
    games += [("w", "a", "b", "0 2"), ("v", "a", "b", "2 0"), ("v", "a", "b", "0"), ("v", "a", "b", "")]
    assert distinct(games, board) == 7


def test_nothing_is_nothing():
    """Without games there are none that differ; games without moves are as many as there are pairs of bots."""
    assert distinct([], {}) == 0
    assert distinct([("star", "a", "b", ""), ("star", "b", "a", ""), ("star", "a", "b", "")], BOARDS) == 2


def test_turned_games_are_one_game():
    """All eight images of a game on a square are the same game; a move to another orbit is not."""
    board = {"square": arena.variant("snort:grid-5x5").board}
    moves = [0, 24, 7, 15]
    images = [" ".join(str(turn[cell]) for cell in moves) for turn in board["square"].symmetries]
    assert len(set(images)) == 8
    assert distinct([("square", "a", "b", image) for image in images], board) == 1
    assert distinct([("square", "a", "b", image) for image in ["0 24", "24 0", "4 20", "0 20"]], board) == 2


def random_games(name, count, seed):
    """Games of any length, many of which are the same or images of each other."""
    chance = random.Random(seed)
    size, symmetries = BOARDS[name].size, BOARDS[name].symmetries
    seen = []
    for _ in range(count):
        if seen and chance.random() < 0.5:
            turn = chance.choice(symmetries)
            moves = [turn[cell] for cell in chance.choice(seen)]
        else:
            moves = chance.sample(range(size), chance.randint(0, size))
        seen.append(moves)
        yield (name, chance.choice("ab"), chance.choice("bc"), " ".join(map(str, moves)))


def naive(games):
    """Every game as the least of all its images."""
    different = set()
    for variant, first, second, moves in games:
        cells = [int(cell) for cell in moves.split()]
        images = [tuple(turn[cell] for cell in cells) for turn in BOARDS[variant].symmetries]
        different.add((variant, first, second, min(images)))
    return len(different)


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seed", range(3))
def test_counting_agrees_with_trying_all_symmetries(name, seed):
    """On boards with few, many and no symmetries, games of any length."""
    games = list(random_games(name, 60 if len(BOARDS[name].symmetries) > 1000 else 300, seed))
    assert distinct(iter(games), BOARDS) == naive(games)


def test_the_boards_above_have_few_many_and_no_symmetries():
    """From the identity alone to 5,040."""
    assert sorted({len(board.symmetries) for board in BOARDS.values()}) == [1, 2, 4, 8, 12, 72, 120, 5040]


def test_games_are_counted_across_chunks(monkeypatch):
    """However few games are looked at together, and variants may be mixed."""
    games = [game for name in BOARDS for game in random_games(name, 40, seed=9)]
    random.Random(1).shuffle(games)
    expected = naive(games)
    for chunk in (1, 7, 1000):
        monkeypatch.setattr(module, "CHUNK", chunk)
        assert distinct(games, BOARDS) == expected


def test_the_least_image_is_the_lexicographic_minimum():
    """Games are turned into the very image that comes first of all, so that it can stand for them."""
    board = BOARDS["col:torus-3x3"]
    moves = np.array([random.Random(seed).sample(range(9), 5) for seed in range(200)], np.uint16)
    before = moves.tolist()
    module._turn(moves, board.symmetries)
    assert moves.tolist() == [
        min([turn[cell] for cell in game] for turn in board.symmetries) for game in before
    ]
