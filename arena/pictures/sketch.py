"""A position before a move, in few bytes, for pages that have many: SVG with the shapes of `pictures.svg`.

That draws every cell by itself, with a title for each. Here all cells of one state are one path, which
takes half of the bytes, and what it shows is said in one sentence. It is shown smaller, and looks the same
otherwise, by the same style sheet. The move that was made has its stone already, in a frame;
a dot (`wins`) is on each move that would have won.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from arena.game import Position
from arena.pictures.graph import Point
from arena.pictures.layout import Layout
from arena.pictures.shapes import (
    FRAME,
    UNIT,
    draw_box,
    draw_hatch,
    draw_outline,
    write_number,
)
from arena.pictures.style import BOARD
from arena.pictures.svg import SIDES, Picture, explain
from arena.plaintext import for_html

SHOWN = 0.7
"""How large it is shown, compared with a picture."""

HATCH = 0.3
"""Half of the square for the hatching of a cell, which is one line."""


def sketch(position: Position, layout: Layout, played: int, winning: Collection[int]) -> str:
    """Return a position before a move as SVG, with that move and those that would have won."""
    picture = Picture(position, layout)
    width, height = picture.size
    head = (
        f'<svg class="{BOARD}" role="img" aria-label="{for_html(explain(position))}" '
        f'viewBox="0 0 {write_number(width)} {write_number(height)}" '
        f'width="{write_number(width * SHOWN)}" height="{write_number(height * SHOWN)}">'
    )
    ghosts = (_ghost(picture, *ghost) for ghost in layout.ghosts)
    states = [_state(picture, state, {played, *winning}) for state in ("", *SIDES, "closed")]
    marks = _marks(picture, position.to_move, played, winning)
    lines = [head, *picture.ground(), _path("ghost", ghosts), *states, *marks, *picture.labels(), "</svg>"]
    return "\n".join(filter(None, lines))


def _path(role: str, parts: Iterable[str]) -> str:
    """Return parts as one path; nothing if there are none."""
    drawn = "".join(parts)
    return drawn and f'<path class="{role}" d="{drawn}"/>'


def _ghost(picture: Picture, _: int, middle: Point, size: Point) -> str:
    return draw_box(*picture.pixels(middle), size[0] * UNIT / 2, size[1] * UNIT / 2)


def _state(picture: Picture, state: str, marked: Collection[int]) -> str:
    """Return all cells of a state with what is in them, unless they are marked."""
    cells = [cell for cell in range(len(picture.layout.points)) if picture.state(cell) == state]
    points = [picture.point(cell) for cell in cells]
    parts = [_path("body", (draw_outline(picture.layout.kind, *point) for point in points))]
    if state == "closed":
        parts.append(_path("hatch", (draw_hatch(*point, HATCH * UNIT, (0.0,)) for point in points)))
    if state or picture.is_numbered:  # elsewhere there could be nothing but a sign for an empty cell
        parts += [part for cell in cells if cell not in marked for part in picture.contents(cell)]
    return f'<g class="{state}">{"".join(parts)}</g>' if cells else ""


def _marks(picture: Picture, mover: int, played: int, winning: Collection[int]) -> Iterator[str]:
    """Yield the move that was made with its frame, and dots: a line of no length has round ends."""
    kind = picture.layout.kind
    dots = _path("stone wins", (f"M{picture.at(cell)}h0" for cell in winning))
    yield f'<g class="{SIDES[mover]}">{dots}{picture.stone(played, mover)}</g>'
    yield _path("last", [draw_outline(kind, *picture.point(played), FRAME[kind])])
