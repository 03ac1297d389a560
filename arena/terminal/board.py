"""A position from the terminal and to it: typed moves become one, and it becomes a board to look at."""

from __future__ import annotations

from arena.errors import IllegalMove, UserError
from arena.game import Position, variant
from arena.pictures.svg import describe
from arena.plaintext import for_terminal

CLOSED = "-"
"""What is drawn where a rule book has no sign for what is closed to the side to move."""


def read_position(name: str, moves: str) -> Position:
    """Return the position of a variant after typed moves; UserError at the first that is not legal."""
    chosen = variant(name)
    position = chosen.start()
    for cell in chosen.parse_moves(moves) if moves.strip() else ():
        try:
            position = position.play(cell)
        except IllegalMove as why:
            raise UserError(f"--moves: ply {len(position.history) + 1}: {why}") from None
    return position


def show_position(position: Position) -> str:
    """Return the board as its rule book draws it, with who is to move and what is closed to them."""
    notation = position.variant.notation
    picture = notation.picture(position, closed=CLOSED)
    shown = f"{for_terminal(describe(position))}\n\n{picture}"
    if picture == notation.picture(position):
        return shown
    return f"{shown}\n\n{CLOSED} is closed to {for_terminal(notation.style.stones[position.to_move])}"
