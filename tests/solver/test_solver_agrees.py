"""The solver against the plain one: everywhere on small boards, at random on larger ones."""

import random

import pytest

import arena
from arena.solver import Solution, Solver, solve
from arena.solver import solver as solver_module
from arena.solver.mirror import Mirrors
from tests.solver.plain import GRAPHS, PlainSolver, near_of, open_to
from tests.solver.walks import RULES, every_position, random_position, variant_of

SMALL = ["line-1", "line-2", "line-11", "ring-3", "ring-4", "ring-10", "grid-1x1", "grid-2x4", "grid-1x7"]
SMALL += ["grid-3x3", "grid-3x4", "grid-5x2", "grid-3x3-rook", "grid-2x5-rook", "grid-3x4-rook"]
SMALL += [
    "torus-3x3",
    "torus-3x4",
    "torus-4x4",
    "torus-3x5",
    "hex-3x3",
    "hex-2x5",
    "hex-4x3",
    "grid-4x4",
    *GRAPHS,
]

PATIENT = {"line-11", "grid-3x4", "torus-3x4", "torus-3x5", "torus-4x4", "grid-4x4", "hex-4x3"}
"""Those with the most positions; one of their size, `ring-10`, is always looked at."""

LARGER = ["line-24", "ring-21", "grid-5x5", "grid-6x6", "grid-4x9", "grid-5x5-rook", "grid-7x3-rook"]
LARGER += ["torus-5x5", "torus-6x4", "hex-5x5", "hex-4x6", "grid-8x8", "grid-20x20"]


def expected(plain: PlainSolver, position) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    winning = plain.winning_moves(*open_to(position))
    return position.to_move if winning else 1 - position.to_move, winning, ()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "board", [pytest.param(board, marks=pytest.mark.long if board in PATIENT else ()) for board in SMALL]
)
def test_every_reachable_position_of_a_small_board_agrees(rule, board):
    """Winner and winning moves are those of the plain search in every reachable position."""
    variant, plain = variant_of(rule, board), PlainSolver(rule, near_of(board))
    solver = Solver(variant)
    for position in every_position(variant):
        assert solver.solve(position)[:3] == expected(plain, position), position.history
        assert solver.winner(position) == expected(plain, position)[0]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", LARGER)
@pytest.mark.parametrize("count", [10, pytest.param(100, marks=pytest.mark.long)])
def test_random_positions_of_larger_boards_agree(rule, board, count):
    """Winner and winning moves are those of the plain search in random positions with up to 15 open cells."""
    variant, plain = variant_of(rule, board), PlainSolver(rule, near_of(board))
    solver, chance = Solver(variant), random.Random(f"{rule}:{board}")
    for _ in range(count):
        position = random_position(variant, chance, chance.randint(8, 15))
        assert solver.solve(position)[:3] == expected(plain, position), position.history


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", ["grid-4x4", "hex-3x4", "line-10", "torus-3x4", "cube", "apart"])
def test_a_fresh_solver_says_the_same(rule, board):
    """What `solve` says with nothing remembered is what the plain search says."""
    variant, plain = variant_of(rule, board), PlainSolver(rule, near_of(board))
    chance = random.Random(board)
    for _ in range(15):
        position = random_position(variant, chance, chance.randint(4, variant.board.size))
        assert solve(position)[:3] == expected(plain, position), position.history


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "board", ["line-9", "ring-8", "grid-3x3", "grid-4x3", "hex-3x3", "torus-3x4", "cube"]
)
def test_what_a_mirror_shows_is_so(rule, board):
    """Where a copying strategy is seen, the plain search finds the same winner."""
    variant, plain = variant_of(rule, board), PlainSolver(rule, near_of(board))
    mirrors = Mirrors(variant)
    seen = set()
    for position in every_position(variant):
        mine, yours = position.open[position.to_move], position.open[1 - position.to_move]
        decided = mirrors.decide(mine, yours)
        seen.add(decided)
        if decided is not None:
            assert decided == plain.wins(*open_to(position)), position.history
    assert {True, False} <= seen


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", ["grid-3x4", "grid-3x3-rook", "torus-3x5", "hex-3x3", "pentagram"])
def test_mirrors_change_no_answer(rule, board, monkeypatch):
    """With mirrors looked for in every position the solver still agrees with the plain search."""
    monkeypatch.setattr(solver_module, "LARGE", 0)
    variant, plain = variant_of(rule, board), PlainSolver(rule, near_of(board))
    solver = Solver(variant)
    for position in every_position(variant):
        assert solver.solve(position)[:3] == expected(plain, position), position.history


@pytest.mark.parametrize(
    ("name", "winner", "winning_moves"),
    [
        ("blockade-4x4", 1, ()),
        ("blockade-5x5", 0, ("(3,3)",)),
        ("grid-lock", 1, ()),
        ("grid-block", 1, ()),
        ("blockade-line", 0, ("7",)),
    ],
)
def test_the_rule_books_are_solved(name, winner, winning_moves):
    """Perfect play and winning first moves are those of the facts table in RULEBOOKS.md."""
    variant = arena.variant(name)
    found = solve(variant.start())
    moves = tuple(variant.notation.name(cell) for cell in found.winning_moves)
    assert (found.winner, moves, found.unknown_moves) == (winner, winning_moves, ())
    assert found.positions < 200


@pytest.mark.parametrize("rule", RULES)
def test_a_finished_game_is_solved(rule):
    """Where nobody can move the side to move has lost, and nothing is looked at."""
    variant = variant_of(rule, "grid-3x3")
    over = [position for position in every_position(variant) if position.is_over]
    assert over
    for position in over:
        assert solve(position) == Solution(position.winner, (), (), 0)


@pytest.mark.parametrize("name", ["snort:line-4096", "col:line-4096", "kayles:grid-64x64", "col:grid-5x801"])
def test_the_largest_boards_end_in_unknown_and_not_in_an_error(name):
    """However deep a board is, a small budget ends in an answer or in unknown."""
    variant = arena.variant(name)
    position = variant.start().play(1)
    assert Solver(variant).winner(position, budget=20) in (None, 0, 1)
