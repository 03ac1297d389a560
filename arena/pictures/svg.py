"""A position as a picture: SVG text without scripts, which may stand alone or in a page.

Stones look as in the rule book: X and O are drawn with strokes, any other sign is a letter. An empty cell
that is open to one side alone has that side's colour, and its stone in small; one that is closed to both is
hatched. The last move has a frame. Every cell has a title, which says the same in words.

A variant's file may be a stranger's, so every text goes through `for_html`. There are no ids: pictures that
stand in one page would share them.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.game import Position
from arena.pictures.graph import Point
from arena.pictures.layout import SEAM, Layout, place
from arena.pictures.shapes import (
    FRAME,
    HALF,
    ROOM,
    STONE,
    UNIT,
    draw_box,
    draw_hatch,
    draw_outline,
    draw_stone,
    draw_text,
    place_hint,
    write_number,
)
from arena.pictures.style import BOARD, STYLE
from arena.plaintext import for_html

WIDEST = 1600
"""The most pixels of a side, as a picture says it of itself; it can be shown in any size."""

MARGIN = 0.25
LABELS = 0.5
"""The margin, and what the numbers of rows and columns need beside it."""

SIDES = ("first", "second")


def draw(position: Position, layout: Layout | None = None, is_alone: bool = True) -> str:
    """Return the picture of a position as SVG.

    Who draws many positions of a board gives its layout. A picture that is not alone is for a page, which has
    the style sheet once.
    """
    picture = Picture(position, layout or place(position.board))
    width, height = picture.size
    shown = min(1.0, WIDEST / max(width, height))
    title = for_html(describe(position))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{BOARD}" role="img" aria-label="{title}" '
        f'viewBox="0 0 {write_number(width)} {write_number(height)}" '
        f'width="{write_number(width * shown)}" height="{write_number(height * shown)}">'
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


class Picture:
    """One position in one layout; all lengths that come out are pixels."""

    def __init__(self, position: Position, layout: Layout) -> None:
        self.layout = layout
        self._position = position
        self._notation = position.variant.notation
        self._owners = {cell: ply % 2 for ply, cell in enumerate(position.history)}
        self.is_numbered = self._notation.style.empty is None
        self._has_labels = len(self._notation.fields) == 2
        self._corner = MARGIN + LABELS * self._has_labels

    @property
    def size(self) -> Point:
        """The width and height of the whole picture."""
        width, height = self.layout.size
        return (width + self._corner + MARGIN) * UNIT, (height + self._corner + MARGIN) * UNIT

    def parts(self) -> Iterator[str]:
        """Yield the lines of the picture, from the bottom up."""
        yield from self.ground()
        yield from self._ghosts()
        for cell in range(self._position.board.size):
            yield self._cell(cell)
        yield from self.labels()

    def ground(self) -> Iterator[str]:
        """Yield what lies under the cells."""
        width, height = map(write_number, self.size)
        yield f'<rect class="paper" width="{width}" height="{height}" rx="8"/>'
        if self.layout.links:
            ends = (f"M{self.at(a)}L{self.at(b)}" for a, b in self.layout.links)
            yield f'<path class="link" d="{"".join(ends)}"/>'

    def point(self, cell: int) -> Point:
        """Return the middle of a cell."""
        return self.pixels(self.layout.points[cell])

    def pixels(self, point: Point) -> Point:
        """Return where a point of the layout is in the picture."""
        return (point[0] + self._corner) * UNIT, (point[1] + self._corner) * UNIT

    def at(self, cell: int) -> str:
        """Return the middle of a cell as a path has it."""
        return " ".join(map(write_number, self.point(cell)))

    def _cell(self, cell: int) -> str:
        x, y = self.point(cell)
        kind, state = self.layout.kind, self.state(cell)
        inside = [f"<title>{for_html(self._say(cell))}</title>"]
        inside.append(f'<path class="body" d="{draw_outline(kind, x, y)}"/>')
        if state == "closed":
            inside.append(f'<path class="hatch" d="{draw_hatch(x, y, ROOM[kind] * UNIT)}"/>')
        inside += self.contents(cell)
        if self._position.history[-1:] == (cell,):
            inside.append(f'<path class="last" d="{draw_outline(kind, x, y, FRAME[kind])}"/>')
        return f'<g class="{f"cell {state}".rstrip()}">{"".join(inside)}</g>'

    def state(self, cell: int) -> str:
        """Return whose a cell is or can only become, "closed" if nobody's, "" if it is open to both."""
        if cell in self._owners:
            return SIDES[self._owners[cell]]
        first, second = (bits >> cell & 1 for bits in self._position.open)
        if first and second:
            return ""
        return SIDES[0] if first else SIDES[1] if second else "closed"

    def _say(self, cell: int) -> str:
        stones, state = self._notation.style.stones, self.state(cell)
        name = self._notation.name(cell)
        if cell in self._owners:
            return f"{name}: {stones[self._owners[cell]]}, move {self._position.history.index(cell) + 1}"
        if state in SIDES:
            return f"{name}: open to {stones[SIDES.index(state)]} alone"
        return f"{name}: closed to both" if state else f"{name}: open to both"

    def contents(self, cell: int) -> list[str]:
        """Return what is in a cell: a stone, or its number and whose stone alone may come there."""
        if cell in self._owners:
            return [self.stone(cell, self._owners[cell])]
        (x, y), state, empty = self.point(cell), self.state(cell), self._notation.style.empty
        hint = [self._hint(state, x, y)] if state in SIDES else []
        if empty is None:
            up = HALF[self.layout.kind] * UNIT * 0.22 * bool(hint)
            return [draw_text(self._notation.spell(cell), "name", x, y - up, 14), *hint]
        is_blank = empty == " " or state == "closed"
        return hint or ([] if is_blank else [draw_text(empty, "name", x, y, 14)])

    def stone(self, cell: int, side: int) -> str:
        """Return the stone of a side in a cell."""
        reach = HALF[self.layout.kind] * UNIT * STONE
        return draw_stone(self._notation.style.stones[side], "stone", *self.point(cell), reach)

    def _hint(self, state: str, x: float, y: float) -> str:
        low, reach = place_hint(self.layout.kind, self.is_numbered)
        return draw_stone(self._notation.style.stones[SIDES.index(state)], "hint", x, y + low, reach)

    def _ghosts(self) -> Iterator[str]:
        for cell, middle, (width, height) in self.layout.ghosts:
            x, y = self.pixels(middle)
            box = draw_box(x, y, width * UNIT / 2, height * UNIT / 2)
            yield f'<path class="ghost" d="{box}"/>'
            if cell in self._owners:
                stone = self._notation.style.stones[self._owners[cell]]
                yield f'<g class="{SIDES[self._owners[cell]]}">{draw_stone(stone, "hint", x, y, 5)}</g>'
            elif self.is_numbered:
                yield draw_text(self._notation.spell(cell), "name", x, y, 10)

    def labels(self) -> Iterator[str]:
        """Yield the numbers of columns above the first row, and those of rows before the first column."""
        if not self._has_labels:
            return
        board, first = self._position.board, self._notation.style.first
        assert board.rows
        assert board.columns
        away = (0.75 + (SEAM if self.layout.ghosts else 0)) * UNIT
        for column in range(board.columns):
            x, y = self.point(column)
            yield draw_text(str(column + first), "label", x, y - away, 14)
        for row in range(board.rows):
            x, y = self.point(row * board.columns)
            yield draw_text(str(row + first), "label", x - away, y, 14)
