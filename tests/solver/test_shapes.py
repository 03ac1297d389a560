"""Forms of parts: equal for what looks alike, and true to what they stand for."""

import random

import pytest

from arena.solver.shapes import shapes_of
from tests.solver.plain import GRAPHS
from tests.solver.walks import variant_of

BOARDS = [
    "line-9",
    "ring-9",
    "grid-4x4",
    "grid-3x5-rook",
    "torus-5x5",
    "torus-4x6",
    "hex-4x4",
    "grid-25x25",
    *GRAPHS,
]


def image(symmetry, bits: int) -> int:
    return sum(1 << symmetry[cell] for cell in range(len(symmetry)) if bits >> cell & 1)


def grown(board, chance: random.Random, count: int) -> int:
    """A connected set of at most so many cells."""
    bits = 1 << chance.randrange(board.size)
    for _ in range(count - 1):
        inside = [cell for cell in range(board.size) if bits >> cell & 1]
        bits |= 1 << chance.choice(board.neighbours(chance.choice(inside)))
    return bits


@pytest.mark.parametrize("board", BOARDS)
def test_images_of_a_part_have_its_form(board):
    """Symmetries of the board keep the form of a part, and exchanging the sides exchanges its two forms."""
    board = variant_of("snort", board).board
    shapes, chance = shapes_of(board), random.Random(board.name)
    for _ in range(40):
        cells = grown(board, chance, 6)
        mine = cells & chance.getrandbits(board.size)
        yours = cells & ~mine | cells & chance.getrandbits(board.size)
        forms = shapes.forms(mine, yours)
        assert shapes.forms(yours, mine) == forms[::-1]
        symmetry = chance.choice(board.symmetries)
        assert shapes.forms(image(symmetry, mine), image(symmetry, yours)) == forms
        assert shapes.form(image(symmetry, cells)) == shapes.form(cells)
        assert shapes.forms(*shapes.part(forms[0])) == forms
        assert [part.bit_count() for part in shapes.part(forms[0])] == [mine.bit_count(), yours.bit_count()]


@pytest.mark.parametrize(
    ("board", "steps"), [("line-9", (1, 2)), ("grid-5x5", (1, 5, 6)), ("hex-5x5", (1, 5, 6))]
)
def test_a_part_moved_about_has_its_form(board, steps):
    """On lines and grids a part keeps its form wherever it lies."""
    shapes = shapes_of(variant_of("col", board).board)
    for mine, yours in [(0b11, 0b01), (0b01, 0b10), (0b10, 0b11)]:
        forms = shapes.forms(mine, yours)
        assert all(shapes.forms(mine << step, yours << step) == forms for step in steps)


def test_parts_that_differ_have_different_forms():
    """Parts of a ring are told apart by their runs, and a part is no image of another with other neighbours."""
    shapes = shapes_of(variant_of("kayles", "ring-9").board)
    assert len({shapes.form(bits) for bits in (0b1, 0b11, 0b111, 0b1111, 0b111111111)}) == 5
    assert shapes.form(0b11) == shapes.form(0b100000001)
