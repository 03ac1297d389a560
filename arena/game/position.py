"""The position: everything that the next move depends on, immutable.

Two bit sets (bitboards) say what each side may still claim. A claim removes from both what the rule closes:
two ands with masks that the variant has prepared for every cell. That is the whole game.

Attributes are read-only properties over private slots, and `legal_moves` is looked up when asked for. Refused
after measuring: a frozen dataclass (4 times slower to make), a tuple subclass (no faster, and it would
compare equal to plain tuples), and legal moves computed with every position (no faster for those who ask,
slower for those who do not).
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, SupportsIndex

from arena.errors import IllegalMove
from arena.plaintext import for_html

if TYPE_CHECKING:
    from arena.game.board import Board
    from arena.game.variant import Variant

_new = object.__new__


class Position:
    """A position of a variant. Made by `variant.start()` and `play`; never changed."""

    __slots__ = ("_history", "_mine", "_variant", "_yours")

    _variant: Variant
    _history: tuple[int, ...]
    _mine: int  # what the side to move may claim
    _yours: int  # what the other side may claim

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._history = ()
        self._mine = self._yours = variant.board.every_cell

    def play(self, cell: SupportsIndex) -> Position:
        """Return the position after the side to move claims a cell; IllegalMove if it may not."""
        mine = self._mine
        variant = self._variant
        if cell.__class__ is not int:
            cell = _number(cell)
        try:
            number, bit, claimer_keeps, opponent_keeps = variant.claims[cell]
        except KeyError:
            raise IllegalMove(f"{_show(cell)} is not a cell of this board") from None
        if not mine & bit:
            raise IllegalMove(self._why_not(number))
        after: Position = _new(Position)
        after._variant = variant
        after._history = self._history + (number,)  # noqa: RUF005 - unpacking is slower
        after._mine = self._yours & opponent_keeps
        after._yours = mine & claimer_keeps
        return after

    @property
    def variant(self) -> Variant:
        """The variant that is played."""
        return self._variant

    @property
    def history(self) -> tuple[int, ...]:
        """The cells claimed so far, the opening included."""
        return self._history

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The cells that the side to move may claim, ascending."""
        return self._variant.cells_of[self._mine]

    @property
    def to_move(self) -> int:
        """The side to move: 0 or 1. Side 0 made the first ply of the game."""
        return len(self._history) & 1

    @property
    def is_over(self) -> bool:
        """Whether the side to move has no legal move, and so has lost."""
        return not self._mine

    @property
    def winner(self) -> int | None:
        """The side that has won, or None while the game goes on."""
        return None if self._mine else 1 - self.to_move

    @property
    def open(self) -> tuple[int, int]:
        """The bit sets of what side 0 and side 1 may claim."""
        return (self._yours, self._mine) if self.to_move else (self._mine, self._yours)

    @property
    def key(self) -> tuple[int, int, int]:
        """All that the rest of the game depends on, as a key for tables: side to move and both bit sets."""
        return (self.to_move, *self.open)

    @property
    def board(self) -> Board:
        """The board of the variant."""
        return self._variant.board

    def moves_of(self, side: int) -> tuple[int, ...]:
        """Return the cells that a side may claim, ascending."""
        return self._variant.cells_of[self.open[side]]

    def owner(self, cell: int) -> int | None:
        """Return the side that claimed a cell, or None."""
        return self._history.index(cell) & 1 if cell in self._history else None

    def name(self, cell: int) -> str:
        """Return the printed name of a cell."""
        return self._variant.notation.name(cell)

    def __str__(self) -> str:
        return self._variant.notation.picture(self)

    def __repr__(self) -> str:
        moves = ", ".join(map(self.name, self._history))
        return f"<Position of {self._variant.name} after {moves or 'no move'}>"

    def _repr_html_(self) -> str:
        """Return the board for a notebook; a variant's file, which says how it looks, may be a stranger's."""
        lines = "\n".join(map(for_html, str(self).split("\n")))
        return f"<pre>{lines}</pre>"

    def __eq__(self, other: object) -> bool:
        """Positions are equal if the same moves led to them; compare `key` to ignore the moves."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._history == other._history and self._variant == other._variant

    def __hash__(self) -> int:
        return hash(self._history)

    def _why_not(self, cell: int) -> str:
        owner = self.owner(cell)
        if owner is not None:
            return f"cell {self.name(cell)} is already claimed"
        return f"cell {self.name(cell)} is closed to side {self.to_move}"


def _number(cell: SupportsIndex) -> int:
    """Return a cell as a plain int, by the referee's rule; IllegalMove if it is not a number."""
    try:
        if not isinstance(cell, bool):
            return int(index(cell))
    except TypeError:
        pass
    raise IllegalMove(f"{_show(cell)} is not a number")


def _show(cell: object) -> str:
    """Return what somebody tried to claim, in at most 80 characters, also if it cannot be printed."""
    try:
        return repr(cell)[:80]
    except Exception:  # Python refuses to print numbers of thousands of digits
        return f"that {type(cell).__name__}"


def replay(variant: Variant, cells: tuple[int, ...]) -> Position:
    """Return the position after these claims; IllegalMove at the first that is not allowed.

    Whoever checks games does this for millions of them, so no position is made before the last one. What is
    not plainly legal is played move by move, which knows what to say.
    """
    claims, position = variant.claims, Position(variant)
    mine = yours = position._mine
    for cell in cells:
        claim = claims.get(cell) if cell.__class__ is int else None
        if claim is None or not mine & claim[1]:
            return _play_all(position, cells)
        mine, yours = yours & claim[3], mine & claim[2]
    position._history, position._mine, position._yours = cells, mine, yours
    return position


def _play_all(position: Position, cells: tuple[int, ...]) -> Position:
    for cell in cells:
        position = position.play(cell)
    return position
