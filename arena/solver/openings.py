"""Openings: the first few plies of a game, drawn so that every machine draws alike. Pure.

Opening 0 is the empty board. After it come openings of one, two and three plies in turn, each drawn without
replacement in an order that depends on the variant and the seed only, so asking for more never changes those
asked for before. Two that leave the same stones on the board, up to its symmetry, are one opening; one that
ends the game is none.

All sequences of plies are counted through in steps of a fixed width that has no divisor in common with their
number: every sequence comes up once, in a scattered order, and nothing has to be listed, which on a board of
4,096 cells could not be done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice
from math import gcd

from arena.errors import IllegalMove
from arena.game import Variant

MOST_PLIES = 3
MOST_MISSES = 1_000_000
"""Tries in a row after which no more are looked for; up to a hundred cells there are no more than that."""

Opening = tuple[int, ...]
_Stones = tuple[tuple[int, ...], tuple[int, ...]]


def openings(variant: Variant, definition: str, seed: int, count: int) -> list[Opening]:
    """Return the first `count` openings of a variant, or all if there are fewer."""
    return list(islice(_all(variant, f"{definition} {seed}"), count))


def _all(variant: Variant, salt: str) -> Iterator[Opening]:
    seen: set[_Stones] = set()
    drawn = {plies: _of_length(variant, salt, plies, seen) for plies in range(MOST_PLIES + 1)}
    has_any = 0  # the greatest length of which there is an opening
    while drawn:
        for plies, source in list(drawn.items()):
            # Where there is none of some length there is none that is longer.
            opening = next(source, None) if plies <= has_any + 1 else None
            if opening is None:
                del drawn[plies]
            else:
                has_any = max(has_any, plies)
                yield opening


def _of_length(variant: Variant, salt: str, plies: int, seen: set[_Stones]) -> Iterator[Opening]:
    """Yield the openings of some length that were not seen before, up to symmetry."""
    size, misses = variant.board.size, 0
    for number in _scattered(size**plies, f"{salt} {plies}"):
        cells = _digits(number, size, plies)
        stones = _least_image(variant, cells) if _is_playable(variant, cells) else None
        if stones is not None and stones not in seen:
            seen.add(stones)
            misses = 0
            yield cells
        elif (misses := misses + 1) == MOST_MISSES:
            return


def _scattered(count: int, salt: str) -> Iterator[int]:
    """Yield every number below `count` once, in an order that the salt decides."""
    digest = hashlib.sha256(salt.encode()).digest()
    at, step = (int.from_bytes(part, "big") % count for part in (digest[:16], digest[16:]))
    while gcd(step, count) != 1:
        step += 1
    for _ in range(count):
        yield at
        at = (at + step) % count


def _digits(number: int, base: int, count: int) -> Opening:
    digits = []
    for _ in range(count):
        number, digit = divmod(number, base)
        digits.append(digit)
    return tuple(digits)


def _is_playable(variant: Variant, cells: Opening) -> bool:
    """Whether the cells can be claimed in this order and leave a game to be played."""
    if len(set(cells)) < len(cells):
        return False
    try:
        return not variant.replay(cells).is_over
    except IllegalMove:
        return False


def _least_image(variant: Variant, cells: Opening) -> _Stones:
    """Return the stones of both sides as the least of all their mirror images."""
    return min(
        (tuple(sorted(p[c] for c in cells[::2])), tuple(sorted(p[c] for c in cells[1::2])))
        for p in variant.board.symmetries
    )
