"""The child that solves one position, or all those of a game.

What it may look at is a number of positions that depends on the board alone, so the same question always has
the same answer, on a busy machine too. Memory and CPU have limits as well, which are beyond that number: they
are there for what we have not thought of, and whoever meets them is told that it went wrong.
"""

from __future__ import annotations

import resource
from typing import Any

from arena.game import Variant
from arena.game.definition import read_definition
from arena.pages.verdicts import Verdicts
from arena.solver.solver import Solver, follow
from arena.web.child_process import step_back

MOST_POSITIONS, MOST_CELLS = 20_000, 400
"""The budget of a position, and of all its moves together once more; larger boards are not solved here."""

MOST_LOOKS = 1_620_000
"""Cells of boards that may be looked at: large boards get fewer positions, because each takes longer."""

GAME_BUDGET = 100_000
"""Of all positions of a game, as graders count."""

PRIORITY = 19
MEMORY_BYTES, CPU_SECONDS = 2 << 30, 300


def budget_of(size: int) -> int:
    """Return how many positions may be looked at for a board of so many cells."""
    return min(MOST_POSITIONS, MOST_LOOKS // size) if size <= MOST_CELLS else 0


def main() -> None:
    """Answer one question."""
    line = step_back(PRIORITY)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    for asked in line.questions():
        variant = read_definition(asked["variant"], asked["definition"])
        moves = tuple(asked["moves"])
        line.answer(_judge(variant, moves, asked["winner"]) if "winner" in asked else _solve(variant, moves))


def _solve(variant: Variant, moves: tuple[int, ...]) -> dict[str, Any]:
    position, budget = variant.replay(moves), budget_of(variant.board.size)
    if not budget:
        return {"winner": None, "winning": [], "unknown": list(position.legal_moves)}
    solver = Solver(variant)
    winner = solver.winner(position, budget)
    if winner is not None and winner != position.to_move:
        return {"winner": winner, "winning": [], "unknown": []}
    found = dict(solver.each_move(position, budget // max(1, len(position.legal_moves))))
    winning = [cell for cell, wins in found.items() if wins]
    unknown = [cell for cell, wins in found.items() if wins is None]
    if winner is None and (winning or not unknown):
        winner = position.to_move if winning else 1 - position.to_move
    return {"winner": winner, "winning": winning, "unknown": unknown}


def _judge(variant: Variant, moves: tuple[int, ...], winner: int) -> dict[str, Any]:
    path = follow(variant, moves)
    if variant.board.size > MOST_CELLS:
        return {"verdicts": " ".join("?" * len(path))}
    judge = Verdicts(variant, GAME_BUDGET)
    judge.learn([path])
    return {"verdicts": judge.judge(path, 0, winner, None)}


if __name__ == "__main__":
    main()
