"""A board for a script: the ground of a picture, and one cell in all states at once.

The script puts copies of the cell in their places, and says by classes what each of them is: `claimed` by or
open to `first` or `second` alone, `closed`, the `newest` move, a `winning` one. A style sheet shows of a cell
only what its classes say. So there is one way to draw a board, and the script knows nothing about looks.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.game import Variant
from arena.pictures.graph import Point
from arena.pictures.layout import Layout, place
from arena.pictures.shapes import (
    FRAME,
    HALF,
    ROOM,
    STONE,
    UNIT,
    draw_hatch,
    draw_outline,
    draw_stone,
    draw_text,
    place_hint,
    write_number,
)
from arena.pictures.style import BOARD
from arena.pictures.svg import SIDES, Picture

NUMBERED = "numbered"
"""The class of boards whose empty cells show their numbers."""

INNER = 0.74
"""How large the frame of a winning move is, compared with that of the last one."""


class Echo(NamedTuple):
    """A part of a cell that is seen once more across a seam: its middle, width and height in pixels."""

    cell: int
    x: float
    y: float
    width: float
    height: float


class Stage(NamedTuple):
    """SVG with a `cell` and an `echo` to be copied, and where the copies go, in pixels."""

    svg: str
    points: list[Point]
    echoes: list[Echo]


def draw_stage(variant: Variant, layout: Layout | None = None) -> Stage:
    """Return the empty board of a variant for a script; in another layout than its own if that is given."""
    layout = layout or place(variant.board)
    picture = Picture(variant.start(), layout)
    width, height = map(write_number, picture.size)
    kind = f"{BOARD} {NUMBERED}" if picture.is_numbered else BOARD
    head = f'<svg class="{kind}" role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    models = _cell(variant, layout.kind), _echo(variant)
    lines = [head, *picture.ground(), *picture.labels(), *models, "</svg>"]
    points = [_round(picture.point(cell)) for cell in range(variant.board.size)]
    return Stage("\n".join(lines), points, [_place_echo(picture, *ghost) for ghost in layout.ghosts])


def _cell(variant: Variant, kind: str) -> str:
    """Return a cell with all that it may show, its middle at (0, 0)."""
    style, stone_reach = variant.notation.style, HALF[kind] * UNIT * STONE
    low, reach = place_hint(kind, style.empty is None)
    parts = [
        "<title></title>",
        f'<path class="body" d="{draw_outline(kind, 0, 0)}"/>',
        f'<path class="hatch" d="{draw_hatch(0, 0, ROOM[kind] * UNIT)}"/>',
        draw_text((style.empty or "").strip(), "name", 0, 0, 14),
    ]
    for side, stone in zip(SIDES, style.stones, strict=True):
        big, small = draw_stone(stone, "stone", 0, 0, stone_reach), draw_stone(stone, "hint", 0, low, reach)
        parts += [f'<g class="of-{side}">{big}</g>', f'<g class="for-{side}">{small}</g>']
    parts.append(f'<path class="wins" d="{draw_outline(kind, 0, 0, FRAME[kind] * INNER)}"/>')
    parts.append(f'<path class="last" d="{draw_outline(kind, 0, 0, FRAME[kind])}"/>')
    return f'<g class="cell">{"".join(parts)}</g>'


def _echo(variant: Variant) -> str:
    """Return what is seen of a cell across a seam, its middle at (0, 0); the script draws its border."""
    stones = [
        f'<g class="of-{side}">{draw_stone(stone, "hint", 0, 0, 5)}</g>'
        for side, stone in zip(SIDES, variant.notation.style.stones, strict=True)
    ]
    return f'<g class="echo"><path class="ghost"/>{draw_text("", "name", 0, 0, 10)}{"".join(stones)}</g>'


def _place_echo(picture: Picture, cell: int, middle: Point, size: Point) -> Echo:
    return Echo(cell, *_round(picture.pixels(middle)), *_round((size[0] * UNIT, size[1] * UNIT)))


def _round(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)
