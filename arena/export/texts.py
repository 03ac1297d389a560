"""The TOML files of an exported folder: its tournament file, and one for each variant that is not built in.

A plan was made from the field, and most of a tournament file follows from the field. What the field does not
have (`fresh`, and the keys of one format) is taken from the file that the log keeps. That file itself is not
copied: its paths lead to another machine, and its plan may have been changed since by options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.config.shape import read_shape
from arena.errors import FileMistakes
from arena.field import Field
from arena.formats import FORMATS
from arena.game import Variant
from arena.game.board import GRAPH
from arena.tomltext import TomlText

LONGEST_NAME = 64
"""That a tournament file may have; `versus-A-B` may be longer."""

Table = Mapping[str, Any]


def write_config(
    field: Field, settings: Table, variants: Mapping[str, str], bots: Iterable[Table], openings: int
) -> str:
    """Return the text of a tournament file; `variants` are the words that it has for each of them."""
    head = {
        "name": field.name[:LONGEST_NAME],
        "format": field.format if FORMATS[field.format].is_in_files else "round-robin",
        "variants": [word for name, word in variants.items() if name not in field.secret],
        "openings": openings,
        "repeats": field.repeats,
        "seed": field.seed,
        "isolation": "sandboxed",
        **settings,
    }
    parts = [_write_table("[tournament]", head), _write_table("[limits]", field.limits)]
    if field.secret:
        parts.append(_write_table("[field]", {"secret": [variants[name] for name in field.secret]}))
    if field.grading is not None:
        parts.append(_write_table("[grading]", field.grading._asdict()))
    return "\n".join([*parts, *(_write_table("[[bots]]", bot) for bot in bots)])


def read_settings(text: str, field: Field) -> dict[str, Any]:
    """Return what a tournament file says beyond the field; nothing if it cannot be read any more."""
    try:
        table = read_shape(TomlText(text, "the tournament file of the log")).tables.tournament
    except FileMistakes:
        return {}
    found = {key: getattr(table, key) for key in ("fresh", *FORMATS[field.format].keys)}
    if found.get("gauntlet"):  # some of its bots may have been withdrawn since
        found["gauntlet"] = [name for name in found["gauntlet"] if name in field.bots]
    return {key: value for key, value in found.items() if value}


def write_variant(variant: Variant) -> str:
    """Return the text of a variant file: what games depend on; no log has the prose of a rule book."""
    board, style = variant.board, variant.notation.style._asdict()
    style["blocked"] = style["blocked"] or False
    is_graph = board.name == GRAPH
    head = {"name": variant.name, "rule": variant.rule} | ({} if is_graph else {"board": board.name})
    parts = [_write_table("", head)]
    if is_graph:
        parts.append(_write_table("[board]", {"size": board.size, "edges": board.edges}))
    notation = {key: value for key, value in style.items() if value is not None}
    return "\n".join([*parts, _write_table("[notation]", notation)])


def _write_table(head: str, table: Table) -> str:
    lines = [f"{key} = {_write_value(value)}" for key, value in table.items()]
    return "".join(f"{line}\n" for line in ([head] if head else []) + lines)


def _write_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{"".join(map(_escape, value))}"'
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_write_value, value))}]"
    assert isinstance(value, int | float)
    return repr(value)


def _escape(sign: str) -> str:
    """Return one character as it stands between quotes in TOML."""
    if sign in '"\\':
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"
