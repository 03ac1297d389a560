"""Cycles: bots of which each surely beats the next, and the last one the first (as in rock-paper-scissors).

A win is sure if the 95 % Wilson interval around the mean score over the units they played (see units.py) is
above one half. Eight wins in eight units are sure, two in two are not. The sure wins are a directed graph,
with an arrow from each winner to those it surely beats. Its strongly connected components (Kosaraju's
algorithm) are the sets of bots that have no true order. For each component one shortest cycle is reported,
which is enough to show that.

Sets of bots are ints with a bit for each bot, which handles a thousand bots with half a million arrows
quickly. Refused: a graph library (networkx, or scipy's csgraph), which finds the components but not their
shortest cycles, and would be installed only for this; tests compare with networkx. Refused: listing all
cycles, of which there may be more than atoms.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.standings.scale import SURE
from arena.standings.units import Units, units_of

SHORTEST = 3
"""No cycle has fewer bots: only one of two can surely beat the other."""


def cycles(results: pd.DataFrame) -> list[tuple[str, ...]]:
    """Return one shortest cycle for each set of bots that beat each other in circles; the longest first.

    `results` are those of `rate`. A cycle starts with the first bot by name; each bot beats the next.
    """
    units = units_of(results)
    is_above = _sure_wins(units)
    beats, beaten_by = _sets(is_above), _sets(is_above.T)
    found = [_shortest(part, beats, beaten_by) for part in _parts(beats, beaten_by) if part & (part - 1)]
    return sorted((tuple(units.bots[n] for n in cycle) for cycle in found), key=lambda c: (-len(c), c))


def _sure_wins(units: Units) -> NDArray[np.bool_]:
    """Return who (row) surely beats whom (column)."""
    bots = len(units.bots)
    pair = units.one * bots + units.other
    score = np.bincount(pair, units.points.sum(axis=0) / 2, bots * bots).reshape(bots, bots)
    met = np.bincount(pair, minlength=bots * bots).reshape(bots, bots)
    # The Wilson interval excludes one half exactly if the mean is this far from it.
    margin = SURE * np.sqrt(met) / 2
    lead = score - met / 2
    return np.asarray((lead > margin) | (-lead > margin).T)


def _sets(rows: NDArray[np.bool_]) -> list[int]:
    return [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in rows]


def _members(bots: int) -> Iterator[int]:
    """Yield the bots of a set, ascending."""
    while bots:
        least = bots & -bots
        yield least.bit_length() - 1
        bots ^= least


def _parts(beats: list[int], beaten_by: list[int]) -> Iterator[int]:
    """Yield the strongly connected components: Kosaraju's algorithm, one pass down and one pass up."""
    left = (1 << len(beats)) - 1
    for start in reversed(_order_by_finish(beats)):
        if left >> start & 1:
            part = fresh = 1 << start
            while fresh:
                fresh = _next(fresh, beaten_by) & left & ~part
                part |= fresh
            left &= ~part
            yield part


def _order_by_finish(beats: list[int]) -> list[int]:
    """Return all bots in the order in which a depth-first search finishes them."""
    left, order = (1 << len(beats)) - 1, list[int]()
    while left:
        path = [(left & -left).bit_length() - 1]
        while path:
            left &= ~(1 << path[-1])
            fresh = beats[path[-1]] & left
            if fresh:
                path.append((fresh & -fresh).bit_length() - 1)
            else:
                order.append(path.pop())
    return order


def _next(bots: int, arrows: list[int]) -> int:
    """Return all bots that an arrow from one of these leads to."""
    reached = 0
    for bot in _members(bots):
        reached |= arrows[bot]
    return reached


def _shortest(part: int, beats: list[int], beaten_by: list[int]) -> list[int]:
    """Return a shortest cycle of a component, starting at its first bot by name."""
    best: list[int] = []
    for start in _members(part):
        # Cycles through earlier bots have been seen.
        cycle = _circle(start, part >> start << start, beats, beaten_by)
        if cycle and (not best or len(cycle) < len(best)):
            best = cycle
        if len(best) == SHORTEST:
            break
    return best


def _circle(start: int, part: int, beats: list[int], beaten_by: list[int]) -> list[int]:
    """Return a shortest cycle from one bot through others of a component, or nothing if there is none."""
    levels, left = [1 << start], part & ~(1 << start)
    while levels[-1] and not levels[-1] & beaten_by[start]:
        levels.append(_next(levels[-1], beats) & left)
        left &= ~levels[-1]
    if not levels[-1]:
        return []
    cycle = [start]
    for level in reversed(levels[1:]):
        cycle.append(next(_members(level & beaten_by[cycle[-1]])))
    return [start, *reversed(cycle[1:])]
