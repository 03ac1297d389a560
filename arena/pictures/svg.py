"""A position as a picture: SVG text without scripts, which may stand alone or in a page.

Stones look as in the rule book: X and O are drawn with strokes, any other sign is a letter. An empty cell
that is open to one side alone has that side's colour, and its stone in small; one that is closed to both is
hatched. The last move has a frame. Every cell has a title, which says the same in words.

A variant's file may be a stranger's, so every text goes through `for_html`. There are no ids: pictures that
stand in one page would share them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi, sin

from arena.game import Position
from arena.pictures.graph import Point
from arena.pictures.layout import SEAM, Layout, place
from arena.pictures.style import BOARD, STYLE
from arena.plaintext import for_html

UNIT = 48
"""Pixels from cell to cell."""

WIDEST = 1600
"""The most pixels of a side, as a picture says it of itself; it can be shown in any size."""

MARGIN = 0.25
LABELS = 0.5
"""The margin, and what the numbers of rows and columns need beside it."""

HALF = {"square": 0.5, "tile": 0.38, "hexagon": 0.5, "disc": 0.39}
"""Half the width of a cell of each kind."""

ROOM = {"square": 0.5, "tile": 0.38, "hexagon": 0.34, "disc": 0.27}
"""Half of a square that has room in a cell, for the hatching."""

FRAME = {"square": 0.88, "tile": 1.0, "hexagon": 0.88, "disc": 1.0}
"""How large the frame of the last move is: inside of cells that touch others, else around the cell."""

SIDES = ("first", "second")


def draw(position: Position, layout: Layout | None = None, is_alone: bool = True) -> str:
    """Return the picture of a position as SVG.

    Who draws many positions of a board gives its layout. A picture that is not alone is for a page, which has
    the style sheet once.
    """
    picture = _Picture(position, layout or place(position.board))
    width, height = picture.size
    shown = min(1.0, WIDEST / max(width, height))
    title = for_html(describe(position))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{BOARD}" role="img" aria-label="{title}" '
        f'viewBox="0 0 {_number(width)} {_number(height)}" '
        f'width="{_number(width * shown)}" height="{_number(height * shown)}">'
    )
    style = [f"<style>\n{STYLE}</style>"] if is_alone else []
    lines = [head, f"<title>{title}</title>", f"<desc>{for_html(explain(position))}</desc>", *style]
    return "\n".join([*lines, *picture.parts(), "</svg>\n"])


def describe(position: Position) -> str:
    """Return in one line which position it is, and who is to move."""
    stones, plies = position.variant.notation.style.stones, len(position.history)
    mine, yours = stones[position.to_move], stones[1 - position.to_move]
    when = f"after {plies} {'move' if plies == 1 else 'moves'}" if plies else "before the first move"
    state = f"{mine} has no move, {yours} has won" if position.is_over else f"{mine} is to move"
    return f"{position.variant.name} {when}: {state}"


def explain(position: Position) -> str:
    """Return in sentences what the picture shows, for those who do not see it."""
    notation = position.variant.notation
    said = []
    for side, stone in enumerate(notation.style.stones):
        claimed = ", ".join(map(notation.name, position.history[side::2])) or "nothing"
        open_cells = notation.ranges(position.moves_of(side)) if position.open[side] else "no cell"
        said.append(f"{stone} has claimed {claimed}; open to {stone}: {open_cells}.")
    last = f" The last move was {position.name(position.history[-1])}." if position.history else ""
    return " ".join(said) + last


class _Picture:
    """One position in one layout; all lengths that come out are pixels."""

    def __init__(self, position: Position, layout: Layout) -> None:
        self.layout = layout
        self._position = position
        self._notation = position.variant.notation
        self._owners = {cell: ply % 2 for ply, cell in enumerate(position.history)}
        self._has_labels = len(self._notation.fields) == 2
        self._corner = MARGIN + LABELS * self._has_labels

    @property
    def size(self) -> Point:
        """The width and height of the whole picture."""
        width, height = self.layout.size
        return (width + self._corner + MARGIN) * UNIT, (height + self._corner + MARGIN) * UNIT

    def parts(self) -> Iterator[str]:
        """Yield the lines of the picture, from the bottom up."""
        width, height = map(_number, self.size)
        yield f'<rect class="paper" width="{width}" height="{height}" rx="8"/>'
        if self.layout.links:
            ends = (f"M{self._at(a)}L{self._at(b)}" for a, b in self.layout.links)
            yield f'<path class="link" d="{"".join(ends)}"/>'
        yield from self._ghosts()
        for cell in range(self._position.board.size):
            yield self._cell(cell)
        if self._has_labels:
            yield from self._labels()

    def _point(self, cell: int) -> Point:
        return self._pixels(self.layout.points[cell])

    def _pixels(self, point: Point) -> Point:
        return (point[0] + self._corner) * UNIT, (point[1] + self._corner) * UNIT

    def _at(self, cell: int) -> str:
        return " ".join(map(_number, self._point(cell)))

    def _cell(self, cell: int) -> str:
        x, y = self._point(cell)
        kind, state = self.layout.kind, self._state(cell)
        inside = [f"<title>{for_html(self._say(cell))}</title>"]
        inside.append(f'<path class="body" d="{_outline(kind, x, y, 1.0)}"/>')
        if state == "closed":
            inside.append(f'<path class="hatch" d="{_hatch(x, y, ROOM[kind] * UNIT)}"/>')
        inside += self._contents(cell, x, y)
        if self._position.history[-1:] == (cell,):
            inside.append(f'<path class="last" d="{_outline(kind, x, y, FRAME[kind])}"/>')
        return f'<g class="{f"cell {state}".rstrip()}">{"".join(inside)}</g>'

    def _state(self, cell: int) -> str:
        """Return whose a cell is or can only become, "closed" if nobody's, "" if it is open to both."""
        if cell in self._owners:
            return SIDES[self._owners[cell]]
        first, second = (bits >> cell & 1 for bits in self._position.open)
        if first and second:
            return ""
        return SIDES[0] if first else SIDES[1] if second else "closed"

    def _say(self, cell: int) -> str:
        stones, state = self._notation.style.stones, self._state(cell)
        name = self._notation.name(cell)
        if cell in self._owners:
            return f"{name}: {stones[self._owners[cell]]}, move {self._position.history.index(cell) + 1}"
        if state in SIDES:
            return f"{name}: open to {stones[SIDES.index(state)]} alone"
        return f"{name}: closed to both" if state else f"{name}: open to both"

    def _contents(self, cell: int, x: float, y: float) -> list[str]:
        """Return what is in a cell: a stone, or its number and whose stone alone may come there."""
        style, half, state = self._notation.style, HALF[self.layout.kind] * UNIT, self._state(cell)
        if cell in self._owners:
            return [_stone(style.stones[self._owners[cell]], "stone", x, y, half * 0.54)]
        hint = style.stones[SIDES.index(state)] if state in SIDES else ""
        if style.empty is None:
            number = _text(self._notation.spell(cell), "name", x, y - half * 0.22 * bool(hint), 14)
            return [number, *([_stone(hint, "hint", x, y + half * 0.52, half * 0.2)] if hint else [])]
        if hint:
            return [_stone(hint, "hint", x, y, half * 0.3)]
        is_blank = style.empty == " " or state == "closed"
        return [] if is_blank else [_text(style.empty, "name", x, y, 14)]

    def _ghosts(self) -> Iterator[str]:
        for cell, middle, (width, height) in self.layout.ghosts:
            x, y = self._pixels(middle)
            box = _box(x, y, width * UNIT / 2, height * UNIT / 2)
            yield f'<path class="ghost" d="{box}"/>'
            if cell in self._owners:
                stone = self._notation.style.stones[self._owners[cell]]
                yield f'<g class="{SIDES[self._owners[cell]]}">{_stone(stone, "hint", x, y, 5)}</g>'
            elif self._notation.style.empty is None:
                yield _text(self._notation.spell(cell), "name", x, y, 10)

    def _labels(self) -> Iterator[str]:
        """Yield the numbers of columns above the first row, and those of rows before the first column."""
        board, first = self._position.board, self._notation.style.first
        assert board.rows
        assert board.columns
        away = (0.75 + (SEAM if self.layout.ghosts else 0)) * UNIT
        for column in range(board.columns):
            x, y = self._point(column)
            yield _text(str(column + first), "label", x, y - away, 14)
        for row in range(board.rows):
            x, y = self._point(row * board.columns)
            yield _text(str(row + first), "label", x - away, y, 14)


def _outline(kind: str, x: float, y: float, scale: float) -> str:
    half = HALF[kind] * UNIT * scale
    if kind == "disc":
        r, across = _number(half), _number(2 * half)
        return f"M{_number(x - half)} {_number(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z"
    if kind == "hexagon":
        high = half / sin(pi / 3)
        corners = [(0, -high), (half, -high / 2), (half, high / 2), (0, high), (-half, high / 2)]
        corners.append((-half, -high / 2))
        return "M" + "L".join(f"{_number(x + dx)} {_number(y + dy)}" for dx, dy in corners) + "z"
    return _box(x, y, half, half)


def _box(x: float, y: float, half_width: float, half_height: float) -> str:
    width, height = _number(2 * half_width), _number(2 * half_height)
    return f"M{_number(x - half_width)} {_number(y - half_height)}h{width}v{height}h-{width}z"


def _hatch(x: float, y: float, half: float) -> str:
    """Return slanted lines in a square; those of squares that touch each other go on from one to the next."""
    lines = []
    for shift in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5):
        low, high = max(-1.0, shift - 1), min(1.0, shift + 1)
        begin = f"{_number(x + low * half)} {_number(y + (shift - low) * half)}"
        lines.append(f"M{begin}L{_number(x + high * half)} {_number(y + (shift - high) * half)}")
    return "".join(lines)


def _stone(sign: str, role: str, x: float, y: float, reach: float) -> str:
    """Return a stone, or the hint of one; X and O by strokes, because fonts differ."""
    if sign == "X":
        span, back = _number(2 * reach), _number(-2 * reach)
        left, top = _number(x - reach), _number(y - reach)
        return f'<path class="{role}" d="M{left} {top}l{span} {span}m{back} 0l{span} {back}"/>'
    if sign == "O":
        return f'<circle class="{role}" cx="{_number(x)}" cy="{_number(y)}" r="{_number(reach)}"/>'
    return _text(sign, "glyph", x, y, round(2.6 * reach))


def _text(text: str, role: str, x: float, y: float, size: int) -> str:
    """Return a text whose middle is at a point; `dominant-baseline` is not known everywhere."""
    at = f'x="{_number(x)}" y="{_number(y + 0.35 * size)}"'
    return f'<text class="{role}" {at} font-size="{size}">{for_html(text)}</text>'


def _number(value: float) -> str:
    """Return a number with at most one decimal."""
    return f"{round(value, 1) + 0.0:.6g}"  # adding nothing makes -0 a 0
