"""How cells and positions are written."""

import pytest

import arena
from arena.errors import UnreadableCell
from arena.game.notation import Notation, Style


@pytest.mark.parametrize(
    ("name", "text", "cell"),
    [
        ("snort:grid-3x4", "0000000007", 7),
        ("snort:grid-3x4", "007", 7),
        ("snort:grid-3x4", "11", 11),
        ("kayles:line-1000", "0" * 5000 + "999", 999),
        ("kayles:line-2000", "01234", 1234),
        ("grid-lock", "016", 15),
        ("blockade-4x4", "02 03", 6),
        ("blockade-4x4", "2,3", 6),
        ("grid-block", "(2,3)", 11),
    ],
)
def test_typed_forms_that_stand_for_a_cell(name, text, cell):
    """Leading zeros, commas and brackets are no reason to refuse, and never lead to another cell."""
    assert arena.variant(name).parse(text) == cell


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("snort:grid-3x4", "-0", "range"),
        ("snort:grid-3x4", "-1", "range"),
        ("snort:grid-3x4", "12", "range"),
        ("snort:grid-3x4", "9" * 5000, "range"),
        ("grid-lock", "0", "range"),
        ("grid-lock", "--1", "letters"),
        ("grid-lock", "+1", "letters"),
        ("grid-lock", "1.0", "letters"),
        ("blockade-4x4", "2", "count"),
        ("blockade-4x4", "2 x 3", "letters"),
        ("blockade-4x4", "()", "empty"),
    ],
)
def test_typed_forms_that_stand_for_none(name, text, reason):
    """Each is refused for its own reason."""
    with pytest.raises(UnreadableCell) as refusal:
        arena.variant(name).parse(text)
    assert refusal.value.reason == reason


@pytest.mark.parametrize(
    ("name", "cells", "text"),
    [
        ("kayles:line-50", [*range(7, 40), 45], "7-39, 45"),
        ("snort:grid-3x3", [1, 2, 3, 4, 5], "1-5"),
        ("snort:grid-3x3", [0, 1, 3, 8], "0, 1, 3, 8"),
        ("snort:grid-3x3", range(9), "0-8"),
        ("kayles:grid-3x1", [0, 2], "0, 2"),
        ("col:line-1", [0], "0"),
        ("blockade-4x4", range(16), "(1,1)-(4,4)"),
        ("blockade-4x4", [3, 7, 11, 12, 13, 14, 15], "(1,4), (2,4), (3,4), (4,1)-(4,4)"),
        ("blockade-4x4", [*range(8), 9], "(1,1)-(1,4), (2,1)-(2,4), (3,2)"),
        ("blockade-4x4", [], ""),
    ],
)
def test_lists_of_cells_have_ranges(name, cells, text):
    """Runs of numbers, and whole rows of rows and columns, are written as ranges."""
    assert arena.variant(name).notation.ranges(list(cells)) == text


def test_hexagons_are_drawn_slanted_and_columns_aligned():
    """Each row of hexagons lies half a cell further right; numbers of different width stand in columns."""
    assert str(arena.variant("snort:hex-2x3").start()) == "0 1 2\n 3 4 5"
    assert str(arena.variant("snort:grid-2x6").start()) == " 0  1  2  3  4  5\n 6  7  8  9 10 11"


def test_the_side_to_move_sees_what_it_may_not_claim():
    """Under snort the same cell is closed to one side and open to the other."""
    after = arena.variant("snort:line-5").start().play(0)
    assert str(after) == "X - 2 3 4"
    assert str(after.play(4)) == "X 1 2 - O"


def test_text_of_strangers_is_cut_and_made_printable():
    """Nothing longer than asked for, and no control character."""
    from arena.errors import printable

    assert printable("x" * 41) == "x" * 37 + "..."
    assert printable("x" * 40) == "x" * 40
    assert printable("a\x1b\nb") == "a\\x1b\\nb"


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 3), (1, 5), (5, 1)])
def test_rows_come_before_columns_on_boards_that_are_not_square(rows, columns):
    """Each has its own bounds: typed and printed, a cell is row times the number of columns, plus column."""
    board = arena.variant(f"snort:grid-{rows}x{columns}").board
    notation = Notation(board, Style(typed="row column", first=1, printed="({row},{column})"))
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            cell = (row - 1) * columns + column - 1
            assert notation.parse(f"{row} {column}") == cell
            assert (notation.name(cell), notation.spell(cell)) == (f"({row},{column})", f"{row} {column}")
    for wrong in (f"{rows + 1} 1", f"1 {columns + 1}"):
        with pytest.raises(arena.UserError, match="is not within"):
            notation.parse(wrong)
