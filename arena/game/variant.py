"""A variant: a board, a rule and a notation, with the words of its rule book.

It holds what `Position` needs prepared: the masks of a claim for each cell, and a table from bit sets to
tuples of cells, which is filled as it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.errors import UserError, printable
from arena.game.board import Board
from arena.game.dialogue import Words
from arena.game.frozen import Frozen
from arena.game.notation import Notation, Style
from arena.game.position import Position, replay
from arena.game.rule import RULES

Claim = tuple[int, int, int, int]


class Erratum(NamedTuple):
    """A place where a rule book breaks its own rules."""

    where: str
    what: str


class RuleBook(NamedTuple):
    """The rest of a rule book, apart from board and rule: its title, its prose, who starts, its errata."""

    title: str
    text: str
    literature: str  # what this game is called elsewhere
    is_start_agreed: bool
    words: Words
    errata: tuple[Erratum, ...] = ()


class Variant(Frozen):
    """An immutable variant; two are equal if name, rule, board and style are."""

    name: str
    rule: str
    board: Board
    book: RuleBook
    notation: Notation
    claims: dict[object, Claim]
    cells_of: CellTable
    _hash: int

    def __init__(self, name: str, rule: str, board: Board, style: Style, book: RuleBook) -> None:
        self._freeze(
            name=name,
            rule=rule,
            board=board,
            book=book,
            notation=Notation(board, style),
            # Plain attributes: `Position.play` reads them at every move, and a cached property costs more.
            claims=_claims(board, rule),
            cells_of=CellTable(board.size),
            _hash=hash((name, rule)),
        )

    def start(self) -> Position:
        """Return the position before the first move."""
        return Position(self)

    def replay(self, cells: Iterable[int]) -> Position:
        """Return the position after these claims; IllegalMove at the first that is not allowed."""
        return replay(self, tuple(cells))

    def parse(self, text: str) -> int:
        """Return the cell that a text names, typed or printed; UnreadableCell says what is wrong."""
        if not isinstance(text, str):
            raise UserError(
                f"{printable(repr(text), 80)} is no text that names a cell, such as '{self.notation.name(0)}'"
            )
        return self.notation.parse(text)

    def parse_moves(self, text: str) -> tuple[int, ...]:
        """Return the cells of a list such as `2 2, 4 2`."""
        return self.notation.parse_moves(text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variant):
            return NotImplemented
        return self is other or self._definition() == other._definition()

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what defines the variant, not the tables made from it."""
        return Variant, (self.name, self.rule, self.board, self.notation.style, self.book)

    def __repr__(self) -> str:
        return f"<Variant {self.name}: {self.rule} on {self.board.name}>"

    def _definition(self) -> tuple[object, ...]:
        return self.name, self.rule, self.board, self.notation.style


def _claims(board: Board, rule: str) -> dict[object, Claim]:
    """Return for each cell: the cell, its bit, and masks of what claimer and opponent keep after it."""
    every = board.every_cell
    claims: dict[object, Claim] = {}
    for cell in range(board.size):
        alone, around = every ^ 1 << cell, every ^ board.around(cell)
        claimer_keeps = around if RULES[rule].closes_to_claimer else alone
        opponent_keeps = around if RULES[rule].closes_to_opponent else alone
        claims[cell] = (cell, 1 << cell, claimer_keeps, opponent_keeps)
    return claims


class CellTable(dict[int, tuple[int, ...]]):
    """Bit sets and their cells, computed on first use; forgets everything when it grows too large."""

    def __init__(self, size: int) -> None:
        super().__init__()
        # Every bit set of a board of 13 cells; for larger boards as many as fit into about 40 MB.
        self._most = 1_000_000 // size

    def __missing__(self, bits: int) -> tuple[int, ...]:
        if len(self) >= self._most:
            self.clear()
        cells = self[bits] = _cells(bits)
        return cells


_CELLS_OF_BYTE = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


def _cells(bits: int) -> tuple[int, ...]:
    """Return the cells of a bit set, ascending, a byte at a time."""
    data = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    return tuple(
        8 * number + cell for number, byte in enumerate(data) if byte for cell in _CELLS_OF_BYTE[byte]
    )
