"""Thresholds against the plain solver: everywhere on small boards, at random on larger ones."""

import random

import pytest

import arena
from arena.solver import Solver
from arena.solver.solver import open_cells
from arena.solver.thresholds import MANY, Thresholds
from tests.solver.plain import GRAPHS, PlainSolver, near_of, open_to
from tests.solver.walks import every_position, random_position, variant_of

SMALL = ["line-1", "line-2", "line-10", "ring-3", "ring-9", "grid-1x1", "grid-3x4", "grid-2x5-rook"]
SMALL += ["torus-3x5", "torus-4x4", "hex-3x3", "hex-2x5", "grid-4x4", *GRAPHS]

LARGER = ["line-24", "ring-21", "grid-5x5", "grid-6x6", "grid-5x5-rook", "torus-5x5", "hex-5x5", "grid-8x8"]


def expected(plain: PlainSolver, position) -> tuple[bool, int]:
    winning = plain.winning_moves(*open_to(position))
    return bool(winning), len(position.legal_moves) - len(winning)


def found(thresholds: Thresholds, position) -> tuple[bool | None, int | None]:
    return thresholds.wins(*open_cells(position)), thresholds.count_losing(*open_cells(position))


@pytest.mark.parametrize("board", SMALL)
def test_every_reachable_position_of_a_small_board_agrees(board):
    """Who wins, and how many moves lose, is what the plain search says in every reachable position."""
    variant, plain = variant_of("snort", board), PlainSolver("snort", near_of(board))
    thresholds = Thresholds(variant)
    for position in every_position(variant):
        assert found(thresholds, position) == expected(plain, position), position.history


@pytest.mark.parametrize("board", LARGER)
def test_random_positions_of_larger_boards_agree(board):
    """The same in random positions with up to 15 open cells."""
    variant, plain = variant_of("snort", board), PlainSolver("snort", near_of(board))
    thresholds, chance = Thresholds(variant), random.Random(board)
    for _ in range(30):
        position = random_position(variant, chance, chance.randint(8, 15))
        if found(thresholds, position) != (None, None):
            assert found(thresholds, position) == expected(plain, position), position.history


def test_large_patterns_agree_with_the_search():
    """After two moves of blockade-5x5 up to 22 cells are contested, too many for the plain search."""
    variant = arena.variant("blockade-5x5")
    thresholds, solver = Thresholds(variant), Solver(variant)
    answers = 0
    for cell in variant.start().legal_moves[:13]:
        after = variant.start().play(cell)
        for position in map(after.play, after.legal_moves):
            wins = thresholds.wins(*open_cells(position))
            answers += wins is not None
            assert wins in (None, solver.winner(position) == position.to_move)
    assert answers > 150


def test_too_many_contested_cells_are_left_to_the_search():
    """So are cells that have nothing to do with each other, of which any subset may be left."""
    start = arena.variant("snort:grid-8x8").start()
    assert found(Thresholds(start.variant), start) == (None, None)
    line = Thresholds(arena.variant("snort:line-60"))
    apart = sum(1 << cell for cell in range(0, 60, 3))
    assert apart.bit_count() < MANY
    assert line.wins(apart, apart) is None
    few = sum(1 << cell for cell in range(0, 42, 3))
    assert (line.wins(few, few), line.count_losing(few, few)) == (False, 14)


def test_forgetting_changes_nothing(monkeypatch):
    """Patterns that were forgotten are found again."""
    monkeypatch.setattr("arena.solver.thresholds.MOST_REMEMBERED", 3)
    variant = arena.variant("snort:grid-3x4")
    thresholds, plain = Thresholds(variant), PlainSolver("snort", near_of("grid-3x4"))
    for position in every_position(variant)[:200]:
        assert found(thresholds, position) == expected(plain, position)
