"""Grades: what a move was worth, against a naive search that shares nothing with the solver."""

import random
from functools import cache

import pytest

from arena.game import RULES, variant
from arena.solver.grades import BUDGET, Grade, Grader
from arena.solver.solver import follow


@cache
def wins(position):
    """Whether the side to move wins, by trying everything."""
    return any(not wins(position.play(cell)) for cell in position.legal_moves)


def expected(position, move):
    """The grade of a move or a forfeit by its definition."""
    if not wins(position):
        return Grade.LOST_ANYWAY
    keeps = {cell: not wins(position.play(cell)) for cell in position.legal_moves}
    if move is None or not keeps[move]:
        return Grade.THROWN_AWAY
    return Grade.FORCED if all(keeps.values()) else Grade.KEPT


def chance_of(position):
    """The share of moves that keep a win, where one can be thrown away; None elsewhere."""
    keeps = [not wins(position.play(cell)) for cell in position.legal_moves]
    return sum(keeps) / len(keeps) if any(keeps) and not all(keeps) else None


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
        found = grader.game(cells, opening, 1 - position.to_move, is_forfeit)
        moves = [*cells[opening:], *([None] if is_forfeit else [])]
        assert len(found.grades) == len(moves)
        chances: list[list[float]] = [[], []]
        for at, (move, grade) in enumerate(zip(moves, found.grades, strict=True), opening):
            before = chosen.replay(cells[:at])
            assert grade is expected(before, move)
            chance_kept = chance_of(before)
            chances[at % 2] += [] if chance_kept is None else [chance_kept]
        for side in (0, 1):
            assert found.count_graded(side) == len(chances[side])
            assert found.chances(side) == pytest.approx(chances[side])


@pytest.mark.parametrize("name", ["blockade-line", "grid-block", "snort:hex-3x3"])
def test_a_move_is_graded_alike_before_the_game_has_ended(name):
    """As the whole game is graded afterwards; None is a forfeit."""
    chance, chosen = random.Random(name), variant(name)
    grader, position = Grader(chosen), chosen.start()
    while not position.is_over:
        cell = chance.choice(position.legal_moves)
        assert grader.move(position, cell) is expected(position, cell)
        assert grader.move(position, None) is expected(position, None)
        position = position.play(cell)
    large = variant("snort:grid-9x10").start()
    assert Grader(large.variant).move(large.play(0), 40) is Grade.UNKNOWN


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
        assert grader.game(cells, 0, 1 - loser).throws(loser)[-1:] == ([winning[-1] + 1] if winning else [])


def test_counts_are_of_each_sides_own_moves():
    """Kept and graded count what a side itself did, whichever side begins after the opening."""
    chosen = variant("blockade-line")
    perfect = (6, 3, 9, 1, 11)
    found = Grader(chosen).game(perfect, 0, 0)
    assert found.grades[0] is Grade.KEPT
    assert found.count_graded(0) >= 1
    assert found.count_kept(0) == found.count_graded(0)
    assert found.count_graded(1) == 0
    later = Grader(chosen).game(perfect, 1, 0)
    assert later.grades == found.grades[1:]
    assert (later.count_kept(1), later.count_kept(0)) == (0, found.count_kept(0) - 1)


def test_what_is_not_known_is_not_graded():
    """A spent budget is said, from there back to the beginning."""
    chosen = variant("snort:grid-6x6")
    position = chosen.start()
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    winner = 1 - position.to_move
    found = Grader(chosen, budget=3).game(position.history, 0, winner)
    assert found.grades[0] is Grade.UNKNOWN
    assert found.grades[-1] is not Grade.UNKNOWN
    known = [who is not None for who in found.winners]
    assert known == sorted(known)
    assert found.start is None
    throws = [len(found.throws(side)) for side in (0, 1)]
    for side in (0, 1):
        assert (winner == side) == (found.stood == side) + throws[1 - side] - throws[side]


@pytest.mark.parametrize("name", ["blockade-line", "grid-block", "snort:hex-3x3", "col:ring-9"])
def test_a_result_is_the_start_and_what_was_thrown_away(name):
    """To the last game, whoever forfeits, on its turn or before it has begun."""
    chance, chosen = random.Random(name), variant(name)
    grader, seen = Grader(chosen), set()
    for number in range(120):
        position = chosen.start()
        while not position.is_over and not (number % 2 and chance.random() < 0.2):
            position = position.play(chance.choice(position.legal_moves))
        opening = min(number % 4, len(position.history))
        winner = 1 - position.to_move if number % 3 or position.is_over else position.to_move
        found = grader.game(position.history, opening, winner, is_asked=number % 3 == 1)
        start = chosen.replay(position.history[:opening])
        assert found.start == found.stood == (start.to_move if wins(start) else 1 - start.to_move)
        throws = [found.throws(side) for side in (0, 1)]
        for side in (0, 1):
            assert (winner == side) == (found.start == side) + len(throws[1 - side]) - len(throws[side])
            assert all((ply - 1) % 2 == side for ply in throws[side])
        seen.add((len(throws[0]) > 0, len(throws[1]) > 0, winner))
    assert len(seen) > 1


@pytest.mark.parametrize(
    "name", ["blockade-5x5", "grid-block", "blockade-line", "snort:line-21", "col:ring-30"]
)
@pytest.mark.parametrize("budget", [BUDGET, 5])
def test_sums_are_those_of_the_grades(name, budget):
    """In one pass or move by move, also where little is known, after forfeits and for bots that did not start."""
    chance, chosen = random.Random(name), variant(name)
    grader, unknown = Grader(chosen, budget), 0
    for number in range(15):
        position = chosen.start()
        while not position.is_over and not (number % 3 == 0 and chance.random() < 0.15):
            position = position.play(chance.choice(position.legal_moves))
        opening = min(number % 4, len(position.history))
        path = follow(chosen, position.history, opening)
        for winner in (0, 1):
            for is_asked in (False, True):
                found = grader.path(path, opening, winner, is_asked)
                sums = grader.tally(path, opening, winner, is_asked)
                sides = [
                    (
                        found.count_kept(side),
                        found.count_graded(side),
                        sum(found.chances(side)),
                        len(found.chances(side)),
                        len(found.throws(side)),
                    )
                    for side in (0, 1)
                ]
                assert list(sums.sides) == sides
                assert (sums.start, sums.stood) == (found.start, found.stood)
                assert list(sums.throws) == sorted(found.throws(0) + found.throws(1))
                unknown += found.start is None
    assert unknown or budget == BUDGET or name == "blockade-line"
