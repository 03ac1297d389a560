"""The budget: what is known within it depends on the position and the budget, and on nothing else."""

import random
from itertools import chain, repeat

import pytest

from arena.game import Position, Variant
from arena.solver import Solution, Solver, solve
from arena.solver import solver as solver_module
from arena.solver.search import Search
from tests.solver.walks import RULES, random_position, variant_of

BOARDS = ["grid-4x5", "grid-4x4-rook", "line-16", "ring-12", "hex-4x4", "torus-4x4", "cube"]
BUDGETS = [0, 1, 2, 3, 5, 8, 13, 30, 80, 200]


def some_positions(variant: Variant, count: int) -> list[Position]:
    chance = random.Random(variant.name)
    return [random_position(variant, chance, chance.randint(6, variant.board.size)) for _ in range(count)]


def known(solution: Solution) -> tuple[object, ...]:
    """All of a solution but how much was looked at, which depends on what is remembered."""
    return solution[:3]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.long
def test_what_is_known_does_not_depend_on_what_was_asked_before(rule, board):
    """A solver asked in any order, warmed or not, knows exactly what a fresh one knows."""
    variant = variant_of(rule, board)
    questions = [(position, budget) for position in some_positions(variant, 8) for budget in BUDGETS]
    alone = {(p.history, b): (Solver(variant).winner(p, b), known(solve(p, b))) for p, b in questions}
    cold, warm = Solver(variant), Solver(variant)
    warm.solve(variant.start(), 5000)
    for position, _ in questions:
        warm.solve(position)
    chance = random.Random(board)
    for solver in (cold, warm, cold):
        chance.shuffle(questions)
        for position, budget in questions:
            said = solver.winner(position, budget), known(solver.solve(position, budget))
            assert said == alone[position.history, budget], (position.history, budget)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.long
def test_a_larger_budget_knows_more_and_a_small_one_nothing_wrong(rule, board):
    """What is known within a budget is true, and is known within every larger one."""
    variant = variant_of(rule, board)
    solver, unlimited = Solver(variant), Solver(variant)
    for position in some_positions(variant, 30):
        truth = unlimited.solve(position)
        assert truth.unknown_moves == ()
        assert truth.winner is not None
        winners = [solver.winner(position, budget) for budget in BUDGETS]
        first = next((n for n, winner in enumerate(winners) if winner is not None), len(BUDGETS))
        assert winners == [None] * first + [truth.winner] * (len(BUDGETS) - first)
        for budget in BUDGETS:
            found = solver.solve(position, budget)
            assert found.winner in (None, truth.winner)
            assert set(found.winning_moves) <= set(truth.winning_moves)
            assert set(truth.winning_moves) <= set(found.winning_moves) | set(found.unknown_moves)


@pytest.mark.parametrize("rule", RULES)
def test_a_position_is_known_exactly_from_its_cost_on(rule):
    """The least budget that suffices is the number of entries that an empty table gets."""
    variant = variant_of(rule, "grid-4x4-rook")
    warm = Solver(variant)
    costs = set()
    for position in some_positions(variant, 12):
        fresh = Solver(variant)
        assert fresh.winner(position) is not None
        cost = len(fresh._search.table)
        costs.add(cost)
        assert warm.winner(position, cost) == fresh.winner(position)
        assert cost == 0 or warm.winner(position, cost - 1) is None
        assert cost == 0 or Solver(variant).winner(position, cost - 1) is None
    assert len(costs) > 2


@pytest.mark.parametrize("rule", RULES)
def test_forgetting_changes_no_answer(rule, monkeypatch):
    """A solver that forgets all the time knows what one knows that remembers."""
    variant = variant_of(rule, "grid-4x4")
    remembering = Solver(variant)
    questions = [(position, budget) for position in some_positions(variant, 20) for budget in (2, 20, None)]
    said = [known(remembering.solve(position, budget)) for position, budget in questions]
    monkeypatch.setattr(solver_module, "MOST_REMEMBERED", 5)
    forgetting = Solver(variant)
    assert [known(forgetting.solve(position, budget)) for position, budget in questions] == said


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", [*BOARDS, "grid-4x4", "torus-3x5"])
def test_a_position_turned_around_has_its_answers_turned_around(rule, board):
    """Images under the board's symmetries are known within the same budgets, with the images of the moves."""
    variant = variant_of(rule, board)
    solver, chance = Solver(variant), random.Random(board)
    symmetries = variant.board.symmetries
    for position in some_positions(variant, 10):
        symmetry = chance.choice(symmetries)
        image = variant.replay(symmetry[cell] for cell in position.history)
        for budget in (0, 3, 15, 60, None):
            here, there = solver.solve(position, budget), solver.solve(image, budget)
            assert there.winner == here.winner
            assert there.winning_moves == tuple(sorted(symmetry[cell] for cell in here.winning_moves))
            assert there.unknown_moves == tuple(sorted(symmetry[cell] for cell in here.unknown_moves))


@pytest.mark.parametrize("rule", RULES)
def test_is_out_ends_the_search_with_unknown(rule, monkeypatch):
    """Whenever `is_out` says so the answer is unknown or true, and the solver is as good as before."""
    monkeypatch.setattr(solver_module, "CELLS_BETWEEN_LOOKS", 0)
    variant = variant_of(rule, "grid-4x5-rook" if rule == "col" else "grid-4x5")
    position = variant.start().play(0)
    truth = Solver(variant).solve(position)
    solver = Solver(variant)
    assert solver.winner(position, is_out=lambda: True) is None
    at_once = solver.solve(position, is_out=lambda: True)
    shown = at_once.winning_moves  # by symmetry, without a search
    assert at_once.winner == (truth.winner if shown else None)
    assert set(shown) <= set(truth.winning_moves)
    assert set(at_once.unknown_moves) == set(position.legal_moves) - set(shown)
    answers = set()
    for patience in (1, 4, 16, 64, 256, 10**9):
        is_out = chain(repeat(False, patience), repeat(True)).__next__
        answers.add(solver.winner(position, is_out=is_out))
    assert answers == {None, truth.winner}
    assert known(solver.solve(position)) == known(truth)


@pytest.mark.parametrize("rule", RULES)
def test_answers_in_the_table_cost_at_most_what_they_say(rule):
    """The bound kept with an answer is never below the true cost, which an empty table shows."""
    variant = variant_of(rule, "grid-4x4-rook")
    solver = Solver(variant)
    for position in some_positions(variant, 6):
        solver.solve(position)
    chance = random.Random(rule)
    entries = list(solver._search.table.items())
    for question, answer in chance.sample(entries, min(60, len(entries))):
        fresh = Search(solver._engine.answering, 1000)
        assert fresh.answer(asking(question)).value == answer.value
        assert len(fresh.table) <= answer.most


def asking(question):
    return (yield question)
