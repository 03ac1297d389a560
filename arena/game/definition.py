"""A variant as text: everything that the result of a game can depend on, and enough to read its games again.

The text goes into the ids of games, so an edited variant is another variant. It also goes into the log, so a
run folder can be read where the variant's file is missing. A rule book's prose and dialogue are left out: no
bot sees them.

A definition in a log may be a stranger's. It is accepted only if arena could have written it: it obeys the
same limits as a rule book, and defining the variant that was read must give back exactly the same text.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from arena.errors import UserError
from arena.game.board import GRAPH, MOST_CELLS, Board
from arena.game.catalogue import RULE_BOOKS, variant
from arena.game.families import board as family_board
from arena.game.rule import RULES
from arena.game.rulebook import NAME, style_of
from arena.game.variant import RuleBook, Variant

LONGEST = 2 << 20
"""The most characters of a definition; a rule book has at most a MiB, and says less in more words."""

_COMPOSED = re.compile(r"[a-z]{1,16}:[a-z0-9-]{1,40}", re.ASCII)


def define(variant: Variant) -> str:
    """Return the definition of a variant, the same text on every machine."""
    board = variant.board
    parts = {
        "rule": variant.rule,
        "board": board.name,
        "size": board.size,
        "edges": board.edges,
        "shape": None if board.rows is None else (board.rows, board.columns),
        "is_slanted": board.is_slanted,
        "style": variant.notation.style._asdict(),
    }
    return json.dumps(parts, separators=(",", ":"))


def short(definition: str) -> str:
    """Return 12 hex digits that stand for a definition."""
    return hashlib.sha256(definition.encode()).hexdigest()[:12]


def is_variant_name(name: object) -> bool:
    """Whether something can be the name of a variant; a path cannot."""
    return isinstance(name, str) and bool(NAME.fullmatch(name) or _COMPOSED.fullmatch(name))


def read_definition(name: str, definition: str) -> Variant:
    """Return the variant of a definition; UserError if it is not one. No file is opened."""
    if not is_variant_name(name) or len(definition) > LONGEST:
        raise UserError("its name is not a variant's name, or it is too long")
    if name in RULE_BOOKS or _COMPOSED.fullmatch(name):
        known = variant(name)
        if define(known) == definition:
            return known
    try:
        found = _rebuild(name, json.loads(definition))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError("it is not a definition of a variant") from None
    if define(found) != definition:
        raise UserError("it is not written as arena writes definitions")
    return found


def _rebuild(name: str, parts: dict[str, Any]) -> Variant:
    if parts["rule"] not in RULES:
        raise UserError("there is no such rule")
    board = _board(parts)
    book = RuleBook(name, "", "", is_start_agreed=True, words=variant("kayles:line-1").book.words)
    return Variant(name, parts["rule"], board, style_of(parts["style"], board, name), book)


def _board(parts: dict[str, Any]) -> Board:
    if parts["board"] != GRAPH:
        return family_board(parts["board"])
    size, edges = parts["size"], [(a, b) for a, b in parts["edges"]]
    cells = range(size) if type(size) is int and 0 < size <= MOST_CELLS else range(0)
    if not all(type(cell) is int and cell in cells for edge in edges for cell in edge) or not cells:
        raise UserError("its board has too many cells, or edges to missing cells")
    if any(a == b for a, b in edges):
        raise UserError("its board joins a cell to itself")
    return Board(GRAPH, size, edges)
