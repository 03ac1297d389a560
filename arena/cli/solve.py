"""`arena solve`: who wins a position with perfect play, and by which moves."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.rules import VariantArgument
from arena.game import Position

if TYPE_CHECKING:
    from arena.solver import Solution

SIDES = ("first", "second")

MovesOption = Annotated[str, typer.Option(metavar="MOVES", help='A later position, such as "2 2, 4 2".')]


def solve(
    name: VariantArgument,
    moves: MovesOption = "",
    seconds: Annotated[float, typer.Option(min=0.01, help="Give up after this long.")] = 60.0,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Say who wins a position with perfect play, and by which moves."""
    from arena.solver import solve
    from arena.terminal.board import read_position

    position = read_position(name, moves)
    deadline = time.monotonic() + seconds
    solution = solve(position, is_out=lambda: time.monotonic() > deadline)
    if format is PlainFormat.JSON:
        from arena.answers.games import tell_solution

        print_json(tell_solution(position, solution))
    else:
        print(_text(position, solution, seconds))


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
