"""What parts are worth: nimbers of Kayles, and numbers with or without star in Col."""

import random
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

import arena
from arena.solver.col import Col
from arena.solver.kayles import Kayles
from arena.solver.numbers import simplest
from arena.solver.paths import nimber_of_path, nimber_of_ring
from arena.solver.search import Search
from arena.solver.shapes import shapes_of
from tests.solver.plain import GRAPHS, PlainSolver, cells, near_of
from tests.solver.walks import every_position, random_position, variant_of

# https://oeis.org/A002187, as in tests/game/test_paths.py.
A002187 = "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4 0 1 1 2 0 3 1 1 0"


def mex(values) -> int:
    return next(n for n in range(len(values) + 1) if n not in values)


def dawson(count: int) -> list[int]:
    """The values of octal game 0.137: take one cell that is alone, two from an end, three from anywhere."""
    values = [0]
    for n in range(1, count):
        options = {values[0]} if n == 1 else {values[n - 2]}
        options |= {values[a] ^ values[n - 3 - a] for a in range(n - 2)}
        values.append(mex(options))
    return values


def test_paths_are_worth_what_dawsons_kayles_is():
    """Nimbers of paths are A002187, and those of the octal recurrence up to 2,000 cells."""
    assert [nimber_of_path(n) for n in range(43)] == [int(value) for value in A002187.split()]
    assert [nimber_of_path(n) for n in range(2000)] == dawson(2000)


def test_rings_leave_paths():
    """A ring of n cells is worth the least number that the path of n - 3 cells is not."""
    values = dawson(1000)
    assert [nimber_of_ring(n) for n in range(3, 1003)] == [mex({value}) for value in values]


def plain_nimber(plain: PlainSolver, open_cells: frozenset[int], known: dict[frozenset[int], int]) -> int:
    if open_cells not in known:
        after = [plain.after(open_cells, open_cells, cell)[0] for cell in open_cells]
        known[open_cells] = mex({plain_nimber(plain, left, known) for left in after})
    return known[open_cells]


@pytest.mark.parametrize(
    "board", ["line-12", "ring-11", "grid-4x4", "grid-3x5", "grid-4x4-rook", "hex-4x4", "torus-4x4", *GRAPHS]
)
def test_nimbers_of_positions_are_those_of_the_definition(board):
    """The nimber of every reachable position is the least that no move leads to."""
    variant, plain, known = variant_of("kayles", board), PlainSolver("kayles", near_of(board)), {}
    engine = Kayles(shapes_of(variant.board))
    search = Search(engine.answering, 1000)
    for position in every_position(variant):
        bits = position.open[0]
        assert search.answer(engine.nimber(bits)).value == plain_nimber(plain, cells(bits), known)


class PlainSum:
    """Col, a number and a star together, by plain search: numbers move as their definition says."""

    def __init__(self, board: str) -> None:
        self.plain = PlainSolver("col", near_of(board))
        self.wins = cache(self._wins)

    def _wins(self, mine, yours, number: Fraction, star: int) -> bool:
        for cell in mine:
            my_next, your_next = self.plain.after(mine, yours, cell)
            if not self.wins(your_next, my_next, -number, star):
                return True
        if star and not self.wins(yours, mine, -number, 0):
            return True
        lower = lower_option(number)
        return lower is not None and not self.wins(yours, mine, -lower, star)

    def is_worth(self, mine, yours, number: Fraction, star: int) -> bool:
        """Whether a position less a value is worth nothing: whoever moves first loses."""
        return not self.wins(mine, yours, -number, star) and not self.wins(yours, mine, number, star)


def lower_option(number: Fraction) -> Fraction | None:
    """Where the first side moves in a number: n = {n-1|}, m/2^k = {(m-1)/2^k|(m+1)/2^k}."""
    if number.denominator == 1:
        return number - 1 if number > 0 else None
    return number - Fraction(1, number.denominator)


def value_in(engine: Col, search: Search, position) -> tuple[Fraction, int]:
    value = search.answer(engine.value(*position.open)).value
    return Fraction(value.number, 1 << position.board.size), value.star


@pytest.mark.parametrize(
    "board", ["line-9", "ring-8", "grid-3x3", "grid-3x4", "grid-3x3-rook", "hex-3x3", "torus-3x4", *GRAPHS]
)
def test_col_is_worth_what_is_said(board):
    """Every reachable position less its value is a loss for whoever moves, by plain search."""
    variant, plain = variant_of("col", board), PlainSum(board)
    engine = Col(shapes_of(variant.board))
    search = Search(engine.answering, 1000)
    for position in every_position(variant):
        number, star = value_in(engine, search, position)
        assert plain.is_worth(cells(position.open[0]), cells(position.open[1]), number, star)


@pytest.mark.parametrize("count", [20, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize("board", ["grid-4x5", "grid-4x4-rook", "hex-4x5", "line-13", "torus-4x5", "ring-15"])
def test_col_is_worth_what_is_said_at_random(board, count):
    """Random positions of larger boards less their values are lost for whoever moves."""
    variant, plain, chance = variant_of("col", board), PlainSum(board), random.Random(board)
    engine = Col(shapes_of(variant.board))
    search = Search(engine.answering, 1000)
    seen = set()
    for _ in range(count):
        position = random_position(variant, chance, 11)
        number, star = value_in(engine, search, position)
        seen.add((number, star))
        assert plain.is_worth(cells(position.open[0]), cells(position.open[1]), number, star)
    assert len(seen) > 1


def test_col_has_fractions_and_stars():
    """The values tested above are not all whole numbers, and some have a star."""
    variant = variant_of("col", "grid-3x4-rook")
    engine = Col(shapes_of(variant.board))
    search = Search(engine.answering, 1000)
    values = {value_in(engine, search, position) for position in every_position(variant)}
    assert {Fraction(1, 2), Fraction(-1, 4)} <= {number for number, _ in values}
    assert {0, 1} == {star for _, star in values}


def born(day: int) -> list[Fraction]:
    """All numbers born by a day, the earliest first."""
    found = [Fraction(0)]
    for _ in range(day):
        ordered = sorted(found)
        middle = [(a + b) / 2 for a, b in pairwise(ordered)]
        found += [ordered[0] - 1, *middle, ordered[-1] + 1]
    return found


def test_the_simplest_number_is_the_first_born():
    """Between any two bounds, open or closed, the simplest number is the first born among those allowed."""
    numbers, scale = born(6), 8
    bounds = [None, *born(3), Fraction(5, 8), Fraction(-9, 8)]
    for low in bounds:
        for high in bounds:
            for with_low, with_high in [(False, False), (False, True), (True, False), (True, True)]:
                if (
                    low is not None
                    and high is not None
                    and (low > high or (low == high and not (with_low and with_high)))
                ):
                    continue
                allowed = [
                    x
                    for x in numbers
                    if (low is None or x > low or (with_low and x == low))
                    and (high is None or x < high or (with_high and x == high))
                ]
                scaled = [None if bound is None else int(bound * 2**scale) for bound in (low, high)]
                found = simplest(scaled[0], with_low, scaled[1], with_high, scale)
                assert Fraction(found, 2**scale) == allowed[0], (low, with_low, high, with_high)


@pytest.mark.long
def test_large_lines_and_rings_of_kayles_need_no_search():
    """Paths and rings of hundreds of cells are answered from the table of nimbers."""
    values = dawson(401)
    for name, value in [("kayles:line-400", values[400]), ("kayles:ring-400", mex({values[397]}))]:
        found = arena.solve(arena.variant(name).start(), budget=0)
        assert (found.winner, found.positions, found.unknown_moves) == (0 if value else 1, 0, ())
