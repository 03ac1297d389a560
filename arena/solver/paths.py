"""Nimbers (Grundy values) of Node Kayles on paths and rings: Dawson's Kayles, which has a period of 34.

The first values are computed from the rule; the rest follow from the period. A theorem on octal games proves
it (Guy and Smith, 1956): if a move takes at most 3 cells in a row, a period p from n0 on that is seen up to 2
n0 + 2 p + 2 continues for ever.
"""

from __future__ import annotations

PERIOD = 34
IRREGULAR = 52  # OEIS A002187: from here on the values repeat
_COMPUTED = 2 * IRREGULAR + 2 * PERIOD + 3


def nimber_of_path(cells: int) -> int:
    """Return the nimber of a path with this many cells."""
    if cells >= IRREGULAR + PERIOD:
        cells = IRREGULAR + (cells - IRREGULAR) % PERIOD
    return _NIMBERS[cells]


def nimber_of_ring(cells: int) -> int:
    """Return the nimber of a ring of at least three cells: any claim leaves a path."""
    return 0 if nimber_of_path(cells - 3) else 1


def least_missing(numbers: set[int]) -> int:
    """Return the least number from 0 that is not among the numbers (mex)."""
    number = 0
    while number in numbers:
        number += 1
    return number


def _nimbers(count: int) -> list[int]:
    nimbers = [0, 1, 1]
    for cells in range(3, count):
        # Claiming the end cell leaves all but two; any other claim leaves two paths, perhaps empty.
        left = {nimbers[cells - 2]} | {nimbers[a] ^ nimbers[cells - 3 - a] for a in range(cells - 2)}
        nimbers.append(least_missing(left))
    return nimbers


_NIMBERS = _nimbers(_COMPUTED)
