"""Boards: names, sizes, neighbours and symmetries."""

from itertools import permutations

import pytest

import arena
from arena.game.board import Board
from arena.game.families import FAMILIES, board
from tests.game.naive import neighbours

SAMPLES = ["line-1", "line-2", "line-9", "ring-3", "ring-8", "grid-1x1", "grid-4x4", "grid-3x5", "grid-1x7"]
SAMPLES += [
    "grid-4x4-rook",
    "grid-2x5-rook",
    "torus-3x3",
    "torus-3x4",
    "torus-5x5",
    "hex-1x1",
    "hex-4x4",
    "hex-3x5",
]

SYMMETRIES = {
    "line-1": 1,
    "line-9": 2,
    "ring-8": 16,
    "grid-4x4": 8,
    "grid-3x5": 4,
    "grid-4x4-rook": 8,
    "torus-5x5": 200,
    "torus-3x4": 48,
    "hex-4x4": 4,
    "hex-3x5": 2,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_neighbours_are_those_that_touch(name):
    """Two cells are neighbours just if they touch, by measuring every distance."""
    made = board(name)
    near = neighbours(name)
    assert made.size == len(near)
    assert {cell: set(made.neighbours(cell)) for cell in range(made.size)} == near
    assert all(list(made.neighbours(c)) == sorted(made.neighbours(c)) for c in range(made.size))
    assert all(made.around(c) == sum(1 << n for n in {c, *near[c]}) for c in range(made.size))


@pytest.mark.parametrize("name", SAMPLES)
def test_symmetries_are_a_group_of_automorphisms(name):
    """Each symmetry keeps all neighbours; the identity comes first; products and inverses are in it."""
    made = board(name)
    found = made.symmetries
    assert found[0] == tuple(range(made.size))
    assert len(set(found)) == len(found)
    for p in found:
        assert sorted(p) == list(range(made.size))
        assert {tuple(sorted((p[a], p[b]))) for a, b in made.edges} == set(made.edges)
    members = set(found)
    for p in found[:20]:
        assert tuple(sorted(range(made.size), key=p.__getitem__)) in members
        assert {tuple(p[q[c]] for c in range(made.size)) for q in found} == members


@pytest.mark.parametrize(("name", "count"), SYMMETRIES.items())
def test_boards_have_the_symmetries_that_geometry_gives_them(name, count):
    """Squares have 8, rectangles 4, tori their shifts as well."""
    assert len(board(name).symmetries) == count


@pytest.mark.parametrize(
    "edges",
    [
        [],
        [(0, 1)],
        [(0, 1), (1, 2), (2, 3), (3, 4)],
        [(0, 1), (2, 3), (4, 5)],
        [(0, 1), (0, 2), (0, 3), (3, 4)],
        [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)],
        [(0, 2), (2, 4), (4, 1), (1, 3), (3, 0), (5, 0)],
    ],
)
def test_symmetries_of_any_graph_are_all_there_are(edges):
    """The search finds exactly the permutations that keep the edges, of all there are."""
    size = 6
    wanted = {tuple(sorted(edge)) for edge in edges}
    every = {
        p for p in permutations(range(size)) if {tuple(sorted((p[a], p[b]))) for a, b in edges} == wanted
    }
    found = Board("graph", size, edges).symmetries
    assert set(found) == every
    assert len(found) == len(every)
    assert found[0] == tuple(range(size))


def test_family_symmetries_are_all_there_are():
    """From 3 x 3 on, geometry gives a board every symmetry that its graph has."""
    for name in (
        "line-9",
        "ring-8",
        "grid-4x4",
        "grid-3x5",
        "grid-4x4-rook",
        "hex-4x4",
        "hex-3x5",
        "torus-5x5",
    ):
        made = board(name)
        assert set(made.symmetries) == set(Board("graph", made.size, made.edges).symmetries), name


@pytest.mark.parametrize("name", ["torus-64x64", "ring-4096", "grid-64x64", "line-4096", "hex-64x64"])
def test_the_largest_boards_still_list_a_group(name):
    """Where the whole group is too large to list, turns and reflections remain."""
    assert len(board(name).symmetries) in (2, 4, 8)


def test_a_graph_with_too_many_symmetries_keeps_the_identity():
    """Forty cells without an edge have 40! symmetries: counting stops, and nothing half is returned."""
    assert Board("graph", 40, ()).symmetries == (tuple(range(40)),)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gird-4x4", "did you mean 'grid-4x4'?"),
        ("hexx-3x5", "did you mean 'hex-3x5'?"),
        ("grid-4", "unknown board 'grid-4'"),
        ("line-3x3", "unknown board"),
        ("line-0", "unknown board"),
        ("line-007", "unknown board"),
        ("grid-4x4-king", "unknown board"),
        ("", "unknown board"),
        ("ring-2", "at least 3"),
        ("torus-2x9", "at least 3"),
        ("line-4097", "4097 cells are too many; the limit is 4096"),
        ("grid-65x64", "4160 cells"),
        ("line-" + "9" * 5000, "the limit is"),
    ],
)
def test_a_name_of_no_board_is_refused_with_a_reason(name, words):
    """One sentence says what is wrong, and the nearest right name where there is one."""
    with pytest.raises(arena.UserError) as refusal:
        board(name)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_every_family_builds_the_example_it_gives():
    """The table's examples and patterns are right: they are what users copy."""
    for family in FAMILIES.values():
        assert board(family.example).name == family.example


def test_rows_and_columns_are_those_of_grids_only():
    """Grids, tori and hexagons have rows and columns; lines, rings and graphs do not."""
    assert (board("grid-3x5").rows, board("hex-2x4").columns, board("torus-3x4").rows) == (3, 4, 3)
    assert board("line-5").rows is board("ring-5").columns is None


def test_there_is_no_cell_below_zero():
    """A negative number is no cell, though Python would count it from the end."""
    with pytest.raises(IndexError):
        board("line-5").neighbours(-1)
    with pytest.raises(IndexError):
        arena.variant("grid-lock").start().name(-1)
