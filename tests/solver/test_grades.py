"""Grades: what a move was worth, against a naive search that shares nothing with the solver."""

import random
from functools import cache

import pytest

from arena.game import RULES, variant
from arena.solver.grades import Grade, Grader


@cache
def wins(position):
    """Whether the side to move wins, by trying everything."""
    return any(not wins(position.play(cell)) for cell in position.legal_moves)


def expected(position, move):
    """The grade of a move or a forfeit by its definition."""
    if not wins(position):
        return Grade.LOST_ANYWAY
    keeps = {cell: not wins(position.play(cell)) for cell in position.legal_moves}
    if all(keeps.values()):
        return Grade.FORCED
    return Grade.KEPT if move is not None and keeps[move] else Grade.THROWN_AWAY


@pytest.mark.parametrize(
    "name", ["blockade-line", "grid-block", "grid-lock", "snort:hex-3x3", "col:ring-9", "kayles:grid-3x4"]
)
def test_every_move_of_random_games_is_graded_as_defined(name):
    """On every ply, also of games that end with a forfeit."""
    chance, chosen = random.Random(name), variant(name)
    grader = Grader(chosen)
    for number in range(60):
        position = chosen.start()
        while not position.is_over and not (number % 3 == 0 and chance.random() < 0.15):
            position = position.play(chance.choice(position.legal_moves))
        cells, opening, is_forfeit = (
            position.history,
            min(number % 3, len(position.history)),
            not position.is_over,
        )
        grades = grader.game(cells, opening, is_forfeit).grades
        moves = [*cells[opening:], *([None] if is_forfeit else [])]
        assert len(grades) == len(moves)
        for at, (move, grade) in enumerate(zip(moves, grades, strict=True), opening):
            assert grade is expected(chosen.replay(cells[:at]), move)


@pytest.mark.parametrize("rule", RULES)
def test_a_game_is_thrown_away_at_the_losers_last_mistake(rule):
    """Before that ply the loser was winning, after it never again; who never was has thrown nothing away."""
    chance, chosen = random.Random(rule), variant(f"{rule}:grid-3x4-rook")
    grader = Grader(chosen)
    for _ in range(80):
        position = chosen.start()
        while not position.is_over:
            position = position.play(chance.choice(position.legal_moves))
        cells, loser = position.history, position.to_move
        winning = [ply for ply in range(len(cells)) if ply % 2 == loser and wins(chosen.replay(cells[:ply]))]
        ply = grader.game(cells, 0, False).thrown_away(loser)
        assert ply == (winning[-1] + 1 if winning else None)


def test_counts_are_of_each_sides_own_moves():
    """Kept and graded count what a side itself did, whichever side begins after the opening."""
    chosen = variant("blockade-line")
    perfect = (6, 3, 9, 1, 11)
    found = Grader(chosen).game(perfect, 0, False)
    assert found.grades[0] is Grade.KEPT
    assert found.count_graded(0) >= 1
    assert found.count_kept(0) == found.count_graded(0)
    assert found.count_graded(1) == 0
    later = Grader(chosen).game(perfect, 1, False)
    assert later.grades == found.grades[1:]
    assert (later.count_kept(1), later.count_kept(0)) == (0, found.count_kept(0) - 1)


def test_what_is_not_known_is_not_graded():
    """A spent budget is said, from there back to the beginning."""
    chosen = variant("snort:grid-6x6")
    position = chosen.start()
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    grades = Grader(chosen, budget=3).game(position.history, 0, False).grades
    assert grades[0] is Grade.UNKNOWN
    assert grades[-1] is not Grade.UNKNOWN
    known = [grade is not Grade.UNKNOWN for grade in grades]
    assert known == sorted(known)
