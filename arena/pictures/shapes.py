"""The shapes of pictures as SVG text: outlines of cells, hatching, stones, letters. Lengths are pixels."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sin

from arena.plaintext import for_html

UNIT = 48
"""Pixels from cell to cell."""

HALF = {"square": 0.5, "tile": 0.38, "hexagon": 0.5, "disc": 0.39}
"""Half the width of a cell of each kind."""

ROOM = {"square": 0.5, "tile": 0.38, "hexagon": 0.34, "disc": 0.27}
"""Half of a square that has room in a cell, for the hatching."""

FRAME = {"square": 0.88, "tile": 1.0, "hexagon": 0.88, "disc": 1.0}
"""How large the frame of the last move is: inside of cells that touch others, else around the cell."""


HATCHING = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
"""Where the lines of the hatching are, from one corner of the square to the other."""

STONE = 0.54
"""How far a stone reaches, compared with half the width of its cell."""


def draw_outline(kind: str, x: float, y: float, scale: float = 1.0) -> str:
    """Return the path around a cell of some kind; at a scale of 1 it is the border of the cell."""
    half = HALF[kind] * UNIT * scale
    if kind == "disc":
        r, across = write_number(half), write_number(2 * half)
        left = f"{write_number(x - half)} {write_number(y)}"
        return f"M{left}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z"
    if kind == "hexagon":
        high = half / sin(pi / 3)
        corners = [(0, -high), (half, -high / 2), (half, high / 2), (0, high), (-half, high / 2)]
        corners.append((-half, -high / 2))
        return "M" + "L".join(f"{write_number(x + dx)} {write_number(y + dy)}" for dx, dy in corners) + "z"
    return draw_box(x, y, half, half)


def draw_box(x: float, y: float, half_width: float, half_height: float) -> str:
    """Return the path around a rectangle with its middle at a point."""
    width, height = write_number(2 * half_width), write_number(2 * half_height)
    return f"M{write_number(x - half_width)} {write_number(y - half_height)}h{width}v{height}h-{width}z"


def draw_hatch(x: float, y: float, half: float, shifts: Sequence[float] = HATCHING) -> str:
    """Return slanted lines in a square; those of squares that touch each other go on from one to the next."""
    lines = []
    for shift in shifts:
        low, high = max(-1.0, shift - 1), min(1.0, shift + 1)
        begin = f"{write_number(x + low * half)} {write_number(y + (shift - low) * half)}"
        lines.append(f"M{begin}L{write_number(x + high * half)} {write_number(y + (shift - high) * half)}")
    return "".join(lines)


def place_hint(kind: str, is_numbered: bool) -> tuple[float, float]:
    """Return how far below the middle of its cell the hint of a stone is, and how far it reaches."""
    half = HALF[kind] * UNIT
    return (half * 0.52, half * 0.2) if is_numbered else (0.0, half * 0.3)


def draw_stone(sign: str, role: str, x: float, y: float, reach: float) -> str:
    """Return a stone, or the hint of one; X and O by strokes, because fonts differ."""
    if sign == "X":
        span, back = write_number(2 * reach), write_number(-2 * reach)
        left, top = write_number(x - reach), write_number(y - reach)
        return f'<path class="{role}" d="M{left} {top}l{span} {span}m{back} 0l{span} {back}"/>'
    if sign == "O":
        middle = f'cx="{write_number(x)}" cy="{write_number(y)}"'
        return f'<circle class="{role}" {middle} r="{write_number(reach)}"/>'
    return draw_text(sign, "glyph", x, y, round(2.6 * reach))


def draw_text(text: str, role: str, x: float, y: float, size: int) -> str:
    """Return a text whose middle is at a point; `dominant-baseline` is not known everywhere."""
    at = f'x="{write_number(x)}" y="{write_number(y + 0.35 * size)}"'
    return f'<text class="{role}" {at} font-size="{size}">{for_html(text)}</text>'


def write_number(value: float) -> str:
    """Return a number with at most one decimal."""
    return f"{round(value, 1) + 0.0:.6g}"  # adding nothing makes -0 a 0
