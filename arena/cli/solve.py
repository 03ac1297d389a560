"""`arena solve`: who wins a position with perfect play, and by which moves."""

from __future__ import annotations

import json
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.rules import VariantArgument
from arena.errors import IllegalMove, UserError
from arena.game import Position, variant

if TYPE_CHECKING:
    from arena.solver import Solution

SIDES = ("first", "second")


class SolveFormat(StrEnum):
    """How a solution is printed."""

    TEXT = "text"
    JSON = "json"


def solve(
    name: VariantArgument,
    moves: Annotated[str, typer.Option(metavar="MOVES", help='A later position, such as "2 2, 4 2".')] = "",
    seconds: Annotated[float, typer.Option(min=0.01, help="Give up after this long.")] = 60.0,
    format: Annotated[SolveFormat, typer.Option(help="The output format.")] = SolveFormat.TEXT,
) -> None:
    """Say who wins a position with perfect play, and by which moves."""
    from arena.solver import solve

    chosen = variant(name)
    position = _after(chosen.start(), chosen.parse_moves(moves) if moves.strip() else ())
    deadline = time.monotonic() + seconds
    solution = solve(position, is_out=lambda: time.monotonic() > deadline)
    print(_json(position, solution) if format is SolveFormat.JSON else _text(position, solution, seconds))


def _after(position: Position, cells: tuple[int, ...]) -> Position:
    for cell in cells:
        try:
            position = position.play(cell)
        except IllegalMove as why:
            raise UserError(f"--moves: ply {len(position.history) + 1}: {why}") from None
    return position


def _json(position: Position, solution: Solution) -> str:
    return json.dumps(
        {
            "variant": position.variant.name,
            "to_move": position.to_move,
            "winner": solution.winner,
            "winning_moves": list(solution.winning_moves),
            "unknown_moves": list(solution.unknown_moves),
        }
    )


def _text(position: Position, solution: Solution, seconds: float) -> str:
    to_move = f"the {SIDES[position.to_move]} side is to move"
    if position.is_over:
        return f"The game is over: {to_move} and has no move; the {SIDES[1 - position.to_move]} side has won."
    if solution.winner is None:
        return f"Not solved within {seconds:g} s; {to_move}."
    wins = f"The {SIDES[solution.winner]} side wins; {to_move}"
    if solution.winner != position.to_move:
        return f"{wins}, and every move loses."
    return f"{wins}{_with(position, solution, seconds)}"


def _with(position: Position, solution: Solution, seconds: float) -> str:
    """Return by which moves the side to move wins, as far as that is known."""
    names = ", ".join(map(position.name, solution.winning_moves))
    unknown = ", ".join(map(position.name, solution.unknown_moves))
    if not names:
        return f"; by which move was not found within {seconds:g} s."
    only = " only" if len(solution.winning_moves) == 1 and not unknown else ""
    rest = f" Not solved within {seconds:g} s: {unknown}." if unknown else ""
    return f", and wins{only} with {names}.{rest}"
