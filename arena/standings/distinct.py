"""How many games differ: deterministic bots fill a log with copies of a few games.

Two games are the same if the same bots had the same sides and made the same moves, up to a symmetry of the
board. The least of all images of a game (its canonical form) stands for it: the image whose first move is the
lowest cell, then whose second move is the lowest, and so on. The symmetries of a board are a group, so the
least image is found ply by ply: turn every game so that its next move is as low as possible, and continue
with the symmetries that keep that cell in place (its stabiliser). Soon only the identity is left. Games that
are equal so far are turned together. Refused: trying all symmetries for every game; an unusual graph may have
40,000 of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from arena.game.board import Board
from arena.game.symmetry import Permutation

CHUNK = 20_000
"""How many games are looked at together; only a few bytes of each are kept."""

Game = tuple[str, str, str, str]
Cells = NDArray[np.uint16]


def distinct(games: Iterable[Game], boards: Mapping[str, Board]) -> int:
    """Return how many games differ; a game is its variant, its bots by side, and its moves, as `12 3 7`."""
    pairs: dict[tuple[str, str], int] = {}
    seen: dict[tuple[str, int], list[NDArray[np.void]]] = defaultdict(list)
    rest = iter(games)
    while chunk := list(islice(rest, CHUNK)):
        for (variant, plies), alike in _by_shape(chunk).items():
            moves = _parse([game[3] for game in alike], plies)
            _turn(moves, boards[variant].symmetries)
            bots = [pairs.setdefault(game[1:3], len(pairs)) for game in alike]
            seen[variant, plies].append(_rows(bots, moves))
    return sum(len(np.unique(np.concatenate(parts))) for parts in seen.values())


def _by_shape(games: Iterable[Game]) -> dict[tuple[str, int], list[Game]]:
    """Return the games by variant and number of plies."""
    shapes: dict[tuple[str, int], list[Game]] = defaultdict(list)
    for game in games:
        shapes[game[0], len(game[3].split())].append(game)
    return shapes


def _parse(moves: list[str], plies: int) -> Cells:
    # numpy would read blanks alone as a number.
    return np.fromstring(" ".join(moves).strip(), np.uint16, sep=" ").reshape(len(moves), plies)


def _turn(moves: Cells, symmetries: tuple[Permutation, ...]) -> None:
    """Turn each row of moves into its least image."""
    waiting = [(np.arange(len(moves)), np.array(symmetries, np.uint16), 0)]
    while waiting:
        games, group, ply = waiting.pop()
        if ply == moves.shape[1]:
            continue
        lowest = group.argmin(axis=0)[moves[games, ply]]
        moves[games, ply:] = group[lowest[:, np.newaxis], moves[games, ply:]]
        is_kept = group == np.arange(group.shape[1])
        at = moves[games, ply]
        for cell in np.unique(at[(is_kept.sum(axis=0) > 1)[at]]):
            waiting.append((games[at == cell], group[is_kept[:, cell]], ply + 1))


def _rows(bots: list[int], moves: Cells) -> NDArray[np.void]:
    """Return the bots and the moves of each game as one value: a fourth of what a set needs."""
    numbers = np.array(bots, np.uint32).view(np.uint16).reshape(len(bots), 2)
    table = np.ascontiguousarray(np.hstack([numbers, moves]))
    return table.view(f"V{table.itemsize * table.shape[1]}").ravel()
