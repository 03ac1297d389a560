"""Where the cells of any graph are drawn: near in the picture if they are near in the graph.

Each connected part is placed by itself, and the parts are put side by side. A part is placed by stress
majorization (SMACOF): distances in the picture become as much like distances in the graph as they can. It
begins with classical scaling, so nothing is left to chance. Refused: springs that start from a circle, which
leave grids folded, and a library for this one picture.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Any

from arena.game.board import Board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Point = tuple[float, float]

MOST_STRESSED = 400
"""The most cells of a board that is placed by distances, which takes a second; larger ones are circles."""

STEPS = 100
LINK = 1.5
"""The usual length of a link."""


def place_graph(board: Board) -> list[Point]:
    """Return a point for every cell, no two nearer to each other than 1."""
    is_large = board.size > MOST_STRESSED
    around = [board.around(cell) for cell in range(board.size)]
    parts = _parts(around)
    placed = [_circle(len(part)) if is_large else _place_part(around, part) for part in parts]
    points: dict[int, Point] = {}
    for part, (x, y), own in zip(parts, _shelve([_extent(own) for own in placed]), placed, strict=True):
        left, top = min(x for x, _ in own), min(y for _, y in own)
        points |= {c: (x + px - left, y + py - top) for c, (px, py) in zip(part, own, strict=True)}
    return [points[cell] for cell in range(board.size)]


def _parts(around: Sequence[int]) -> list[list[int]]:
    """Return the connected parts, the largest first."""
    left, parts = (1 << len(around)) - 1, []
    while left:
        part = [cell for layer in _layers(around, (left & -left).bit_length() - 1) for cell in layer]
        left &= ~sum(1 << cell for cell in part)
        parts.append(sorted(part))
    return sorted(parts, key=len, reverse=True)


def _layers(around: Sequence[int], start: int) -> Iterator[list[int]]:
    """Yield the cells that are 0, 1, 2 ... steps away from one; `around` are bit sets as boards have them."""
    seen = layer = 1 << start
    while layer:
        cells = [cell for cell, bit in enumerate(reversed(f"{layer:b}")) if bit == "1"]
        yield cells
        reached = 0
        for cell in cells:
            reached |= around[cell]
        layer = reached & ~seen
        seen |= reached


def _circle(size: int) -> list[Point]:
    if size == 1:
        return [(0.0, 0.0)]
    radius = 0.5 / sin(pi / size)
    turns = [2 * pi * number / size for number in range(size)]
    return [(radius * sin(turn), -radius * cos(turn)) for turn in turns]


def _extent(points: Sequence[Point]) -> Point:
    """Return the width and height of a part, with half a cell around it."""
    xs, ys = zip(*points, strict=True)
    return max(xs) - min(xs) + 1, max(ys) - min(ys) + 1


def _shelve(sizes: Sequence[Point]) -> list[Point]:
    """Return where each box begins: side by side in rows, in a picture that is not much wider than high."""
    widest = max(1.3 * sqrt(sum(width * height for width, height in sizes)), *(width for width, _ in sizes))
    corners, x, y, high = [], 0.0, 0.0, 0.0
    for width, height in sizes:
        if x and x + width > widest:
            x, y, high = 0.0, y + high, 0.0
        corners.append((x, y))
        x, high = x + width, max(high, height)
    return corners


def _place_part(around: Sequence[int], part: Sequence[int]) -> list[Point]:
    """Return points for the cells of a connected part."""
    if len(part) < 3:
        return [(LINK * number, 0.0) for number in range(len(part))]
    import numpy as np

    number = {cell: at for at, cell in enumerate(part)}
    apart = np.zeros((len(part), len(part)))
    for cell in part:
        for steps, layer in enumerate(_layers(around, cell)):
            apart[number[cell], [number[other] for other in layer]] = steps
    points = _spread(_settle(_begin(apart), apart) * LINK)
    # What differs in the last digits from machine to machine is not seen.
    return [(round(float(x), 3), round(float(y), 3)) for x, y in points]


def _begin(apart: Any) -> Any:
    """Return points by classical scaling: the two main axes of the distances."""
    import numpy as np

    # Cells that differ in nothing but their number would fall on one point, and equal axes could be any two.
    uneven = 1 + 0.02 * (np.arange(len(apart)) * (sqrt(5) - 1) / 2 % 1)
    squares = (apart * np.sqrt(np.outer(uneven, uneven))) ** 2
    rows = squares.mean(axis=0)
    values, vectors = np.linalg.eigh((rows[:, None] + rows - squares - squares.mean()) / 2)
    axes = vectors[:, [-1, -2]]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return axes * np.sqrt(np.maximum(values[[-1, -2]], 0.01))


def _settle(points: Any, apart: Any) -> Any:
    """Return points whose distances are as much like the wanted ones as they become; near ones count most."""
    import numpy as np

    size = len(apart)
    wanted = apart + np.eye(size)
    weights = (1 - np.eye(size)) / wanted**2
    solved = np.linalg.inv(np.diag(weights.sum(axis=1)) - weights + 1 / size) - 1 / size
    for _ in range(STEPS):
        pull = weights * wanted / np.maximum(_distances(points), 1e-6)
        points = solved @ (pull.sum(axis=1)[:, None] * points - pull @ points)
    return points


def _spread(points: Any) -> Any:
    """Return points of which no two are nearer than 1: those that are get pushed apart, and then all."""
    import numpy as np

    points = points + 0.001 * np.array(_circle(len(points)))
    for _ in range(STEPS):
        distances = _distances(points) + np.eye(len(points))
        push = np.maximum(1.05 - distances, 0) / distances / 3
        np.fill_diagonal(push, 0)
        if not push.any():
            break
        points = points + push.sum(axis=1)[:, None] * points - push @ points
    nearest = (_distances(points) + 2 * np.eye(len(points))).min()
    return points * max(1.0, 1.01 / nearest)


def _distances(points: Any) -> Any:
    import numpy as np

    x, y = points[:, 0], points[:, 1]
    return np.sqrt((x[:, None] - x) ** 2 + (y[:, None] - y) ** 2)
