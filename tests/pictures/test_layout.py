"""Where cells are drawn: every family, and any graph."""

import itertools
import math
import time

import pytest

from arena.game.board import GRAPH, MOST_CELLS, Board
from arena.game.families import FAMILIES, board
from arena.pictures.graph import MOST_STRESSED
from arena.pictures.layout import PLACERS, place

GRAPHS = {
    "one cell": (1, []),
    "no links": (7, []),
    "pair": (2, [(0, 1)]),
    "kite": (5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]),
    "star": (20, [(0, leaf) for leaf in range(1, 20)]),
    "twins": (14, [(hub, leaf) for hub in (0, 1) for leaf in range(2, 14)]),
    "complete": (12, list(itertools.combinations(range(12), 2))),
    "path": (60, [(cell, cell + 1) for cell in range(59)]),
    "parts": (15, [(0, 1), (1, 2), (2, 0), (4, 5), (6, 7), (7, 8), (8, 9), (9, 6)]),
    "cube": (16, [(a, a ^ 1 << bit) for a in range(16) for bit in range(4) if a < a ^ 1 << bit]),
}
SMALL = ["line-1", "line-13", "line-45", "ring-3", "ring-40", "grid-1x1", "grid-5x4", "grid-4x5-rook"]
SMALL += ["torus-3x3", "torus-4x5", "hex-1x4", "hex-5x4"]


def graph(name):
    size, edges = GRAPHS[name]
    return Board(GRAPH, size, edges)


EVERY = [pytest.param(board(name), id=name) for name in SMALL]
EVERY += [pytest.param(graph(name), id=name) for name in GRAPHS]


def distances(layout, pairs):
    return [math.dist(layout.points[a], layout.points[b]) for a, b in pairs]


def test_every_family_has_its_layout():
    """A new board family needs one too."""
    assert set(PLACERS) == {*FAMILIES, GRAPH}


@pytest.mark.parametrize("board", EVERY)
def test_every_cell_has_a_place_of_its_own_inside_the_picture(board):
    """No two cells overlap, none sticks out, and the same board is always placed in the same way."""
    layout = place(board)
    assert len(layout.points) == board.size
    assert min(distances(layout, itertools.combinations(range(board.size), 2)), default=1) > 0.999
    width, height = layout.size
    assert all(0.499 < x < width - 0.499 and 0.499 < y < height - 0.499 for x, y in layout.points)
    assert place(board) == layout


@pytest.mark.parametrize("name", ["line-45", "ring-7", "grid-3x4-rook", "grid-3x4", "hex-3x4", "torus-3x4"])
def test_neighbours_are_seen(name):
    """They are joined by links, or they touch, on a torus across its seams too; and nobody else does."""
    where = board(name)
    layout = place(where)
    seen = set(layout.links)
    near = math.sqrt(2) if layout.kind == "square" else 1
    places = [*enumerate(layout.points), *((ghost.cell, ghost.middle) for ghost in layout.ghosts)]
    if layout.kind in ("square", "hexagon"):
        pairs = itertools.product(enumerate(layout.points), places)
        seen |= {(min(a, b), max(a, b)) for (a, p), (b, q) in pairs if 0.1 < math.dist(p, q) < near + 0.01}
    assert seen == set(where.edges)


def test_a_ring_is_round_and_a_long_line_turns_back():
    """Links are as long as the distance between neighbours."""
    for name in ("ring-9", "line-50"):
        layout = place(board(name))
        assert distances(layout, layout.links) == pytest.approx([1] * len(layout.links))
    assert place(board("line-50")).size == (20, 3)


def test_what_is_near_in_a_graph_is_near_in_its_picture():
    """A grid that is given by its edges alone unfolds: none of its links cross."""
    edges = board("grid-4x5-rook").edges
    layout = place(Board(GRAPH, 20, edges))
    for one, other in itertools.combinations(edges, 2):
        if not set(one) & set(other):
            assert not is_crossed(*(layout.points[cell] for cell in (*one, *other)))


def is_crossed(a, b, c, d):
    def turn(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b)


@pytest.mark.parametrize(
    ("size", "edges"),
    [
        (MOST_CELLS, [(cell, (cell * 7 + 1) % MOST_CELLS) for cell in range(MOST_CELLS - 1)]),
        (MOST_STRESSED, list(itertools.combinations(range(MOST_STRESSED), 2))),
    ],
    ids=["largest", "densest"],
)
@pytest.mark.long
def test_a_large_graph_is_placed_soon(size, edges):
    """Its cells are on a circle, or it is placed by distances within a second or so."""
    before = time.process_time()
    layout = place(Board(GRAPH, size, [(a, b) for a, b in edges if a != b]))
    assert time.process_time() - before < 3
    assert len(set(layout.points)) == size
