"""A variant as text: all that the result of a game can depend on, and enough to read its games again.

The text goes into the ids of games, so a variant that is edited is another variant, and into the log, so a
run folder can be read where the variant's file is not. A rule book's prose and dialogue are left out: no bot
sees them.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from arena.errors import UserError
from arena.game import Board, Variant, variant
from arena.game.notation import Style
from arena.game.variant import RuleBook


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


def defined(name: str, definition: str) -> Variant:
    """Return the variant of a definition; the one that is built in where that is the very same."""
    try:
        known = variant(name)
    except UserError:
        known = None  # a variant from a file that is not here: its definition is enough
    if known is not None and known.name == name and define(known) == definition:
        return known
    return _rebuilt(name, json.loads(definition))


def _rebuilt(name: str, parts: dict[str, Any]) -> Variant:
    plain = variant("kayles:line-1").book
    board = Board(
        parts["board"],
        parts["size"],
        [(a, b) for a, b in parts["edges"]],
        shape=parts["shape"] and tuple(parts["shape"]),
        is_slanted=parts["is_slanted"],
    )
    style = Style(**(parts["style"] | {"stones": tuple(parts["style"]["stones"])}))
    book = RuleBook(name, "", "", is_start_agreed=True, words=plain.words)
    return Variant(name, parts["rule"], board, style, book)
