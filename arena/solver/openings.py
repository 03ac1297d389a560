"""Openings: the first few plies of a game, fair by proof, and the same on every machine. Pure.

Candidates are the empty board, and then openings of one, two and three plies in turn. Each is drawn without
replacement, in an order that depends only on the variant and the seed. Two candidates that leave the same
position, up to the board's symmetry, are one: what each side may still claim, and who is to move. A candidate
that ends the game is left out. From the candidates we take alternately one that is won and one that is lost
for the side to move, as long as there are both and the solver can tell within its budget. All of it is one
sequence: asking for more never changes what came before.

By the older way of drawing, 1, candidates were one if they left the same stones. Different stones often leave
the same position, which then counted as two pieces of evidence: of 324 openings of `blockade-line` 116 were
distinct. Folders that were begun by it go on by it. Boards too large to be solved are still compared by their
stones: an image of a position takes too long there, and few stones hardly ever leave the same one.

All sequences of plies are numbered, and visited in steps of a fixed width that is coprime to their number. So
every sequence comes up once, in a scattered order, and none has to be listed, which on a board of 4,096 cells
would be impossible.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from math import gcd
from typing import NamedTuple

from arena.errors import IllegalMove
from arena.game import Variant
from arena.solver import Solver
from arena.solver.cells import cells_of

MOST_PLIES = 3
DRAWING = 2
"""How openings are told apart: 1 by stones, 2 by positions."""

MOST_COUNTED = 1_000_000
"""Sequences of plies times symmetries up to which openings are counted: about a second."""

MOST_MISSES = 1_000_000
"""Tries without success after which the search ends; up to a hundred cells this covers all sequences."""

BUDGET = 2_000
"""The most positions for solving one opening, counted as if nothing were remembered."""

MOST_CELLS = 400
"""Larger boards are not solved: a single position takes longer than it is worth."""

MOST_TRIES = 64
"""How many candidates are tried for one that is won (or lost) before another is taken instead."""

MOST_UNSOLVED = 4
"""After this many failed searches no more candidates are solved: the board is too large."""

Cells = tuple[int, ...]
_Sets = tuple[tuple[int, ...], tuple[int, ...]]
_Key = tuple[_Sets, int]


class Opening(NamedTuple):
    """The cells of an opening, and whether the side to move then wins; None if that is not known."""

    cells: Cells
    is_won: bool | None


def openings(
    variant: Variant, definition: str, seed: int, count: int, drawing: int = DRAWING
) -> list[Opening]:
    """Return the first `count` openings of a variant, or all if there are fewer."""
    solver = Solver(variant)

    def is_won(cells: Cells) -> bool | None:
        if variant.board.size > MOST_CELLS:
            return None
        position = variant.replay(cells)
        winner = solver.winner(position, BUDGET)
        return None if winner is None else winner == position.to_move

    return list(islice(_balance(_all(variant, f"{definition} {seed}", drawing), is_won), count))


def count_openings(variant: Variant, drawing: int = DRAWING) -> int | None:
    """Return how many openings a variant has; None if counting them takes longer than it is worth."""
    board = variant.board
    if board.size**MOST_PLIES * len(board.symmetries) > MOST_COUNTED:
        return None
    return sum(1 for _ in _all(variant, "", drawing))


def _balance(drawn: Iterator[Cells], is_won: Callable[[Cells], bool | None]) -> Iterator[Opening]:
    """Yield openings that are by turns won and lost for the side to move, as far as possible."""
    waiting: dict[bool | None, deque[Cells]] = {True: deque(), False: deque(), None: deque()}
    unsolved = 0
    for wanted in cycle((True, False)):
        for _ in range(MOST_TRIES):
            cells = None if waiting[wanted] or unsolved == MOST_UNSOLVED else next(drawn, None)
            if cells is None:
                break
            verdict = is_won(cells)
            unsolved += verdict is None
            waiting[verdict].append(cells)
        found = [verdict for verdict in (wanted, not wanted, None) if waiting[verdict]]
        if not found:
            break
        yield Opening(waiting[found[0]].popleft(), found[0])
    yield from (Opening(cells, None) for cells in drawn)


def _all(variant: Variant, salt: str, drawing: int) -> Iterator[Cells]:
    seen: set[_Key] = set()
    is_by_position = drawing > 1 and variant.board.size <= MOST_CELLS
    key = _position_key if is_by_position else _stones_key
    drawn = {plies: _of_length(variant, salt, plies, key, seen) for plies in range(MOST_PLIES + 1)}
    has_any = 0  # the greatest length of which there is an opening
    while drawn:
        for plies, source in list(drawn.items()):
            # If there is no opening of some length, there is no longer one either.
            opening = next(source, None) if plies <= has_any + 1 else None
            if opening is None:
                del drawn[plies]
            else:
                has_any = max(has_any, plies)
                yield opening


def _of_length(
    variant: Variant, salt: str, plies: int, key_of: Callable[[Variant, Cells], _Key], seen: set[_Key]
) -> Iterator[Cells]:
    """Yield the openings of some length that were not seen before, up to symmetry."""
    size, misses = variant.board.size, 0
    for number in _scatter(size**plies, f"{salt} {plies}"):
        cells = _digits(number, size, plies)
        key = key_of(variant, cells) if _is_playable(variant, cells) else None
        if key is not None and key not in seen:
            seen.add(key)
            misses = 0
            yield cells
        elif (misses := misses + 1) == MOST_MISSES:
            return


def _scatter(count: int, salt: str) -> Iterator[int]:
    """Yield every number below `count` once, in an order that the salt decides."""
    digest = hashlib.sha256(salt.encode()).digest()
    at, step = (int.from_bytes(part, "big") % count for part in (digest[:16], digest[16:]))
    while gcd(step, count) != 1:
        step += 1
    for _ in range(count):
        yield at
        at = (at + step) % count


def _digits(number: int, base: int, count: int) -> Cells:
    digits = []
    for _ in range(count):
        number, digit = divmod(number, base)
        digits.append(digit)
    return tuple(digits)


def _is_playable(variant: Variant, cells: Cells) -> bool:
    """Whether the cells can be claimed in this order and leave a game to be played."""
    if len(set(cells)) < len(cells):
        return False
    try:
        return not variant.replay(cells).is_over
    except IllegalMove:
        return False


def _stones_key(variant: Variant, cells: Cells) -> _Key:
    """Return the stones of both sides, the same for all mirror images; who is to move follows from them."""
    return _least_image(variant, cells[::2], cells[1::2]), len(cells) % 2


def _position_key(variant: Variant, cells: Cells) -> _Key:
    """Return what is closed to each side and who is to move, the same for all mirror images."""
    position = variant.replay(cells)
    full = (1 << variant.board.size) - 1
    first, second = (tuple(cells_of(full & ~opened)) for opened in position.open)
    return _least_image(variant, first, second), position.to_move


def _least_image(variant: Variant, first: Cells, second: Cells) -> _Sets:
    """Return two sets of cells as the least of all their mirror images."""
    return min(
        (tuple(sorted(p[c] for c in first)), tuple(sorted(p[c] for c in second)))
        for p in variant.board.symmetries
    )
