"""A rule book is a TOML file: this module reads one, and finds every mistake in it.

    name, title, text       how it is called, and its prose
    literature              what the game is called elsewhere
    rule                    kayles, snort or col
    board                   "grid-4x4", or board.edges and board.size for any graph
    start                   "player 1" or "agreed"
    [notation]              the fields of `notation.Style`
    [dialogue]              the fields of `dialogue.Words`
    [[errata]]              where, what

Only `rule` and `board` are required. What a file leaves out is taken from `plain.toml`. A file is always
read to its end and mistakes are noted by path, so that a user sees all of them at once. A wrong value is
replaced by the default, but a variant is built only if there was no mistake.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from arena.errors import UnknownVariant, UnreadableCell, printable
from arena.game import reading
from arena.game.board import GRAPH, MOST_CELLS, Board
from arena.game.dialogue import Words
from arena.game.families import board as family_board
from arena.game.notation import Notation, Style
from arena.game.rule import RULES
from arena.game.variant import Erratum, RuleBook, Variant
from arena.game.wording import read_words
from arena.tomltext import Path, TomlText

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)

_TOP = ("name", "title", "text", "literature", "rule", "board", "start", "notation", "dialogue", "errata")
_STARTS = ("player 1", "agreed")
_TYPED = ("number", "row column")

MOST_TITLE = 200
MOST_CELL = 40
"""The most characters of a text that is written for every cell: a board may have thousands."""


def read(text: str, source: str, default_name: str, plain: Words, taken: Collection[str] = ()) -> Variant:
    """Return the variant of a rule book's text; FileMistakes with all that is wrong in it.

    `plain` are the words for what the file leaves out; `taken` are names that it may not have.
    """
    file = TomlText(text, source)
    reading.check_keys(file, (), file.data, _TOP)
    name = _name(file, default_name, taken)
    rule = reading.choice(file, ("rule",), tuple(RULES), None)
    board = _board(file)
    style = _style(file, board)
    book = RuleBook(
        title=reading.text(file, ("title",), name, MOST_TITLE),
        text=reading.text(file, ("text",), ""),
        literature=reading.text(file, ("literature",), RULES[rule].literature),
        is_start_agreed=reading.choice(file, ("start",), _STARTS, "agreed") == "agreed",
        words=read_words(file, plain, style.typed if board else None),
        errata=_errata(file),
    )
    if board is not None and not file.has_mistakes(("notation",)):
        _check_names(file, Notation(board, style), board.size)
    file.raise_mistakes()
    assert board is not None, "a board that could not be read is a mistake"
    return Variant(name, rule, board, style, book)


def style_of(fields: dict[str, Any], board: Board, source: str) -> Style:
    """Return a style from the fields of a definition; FileMistakes if a rule book may not have them."""
    file = TomlText("", source)
    undrawn = {"blocked": False} if fields["blocked"] is None else {}
    file.data = {"notation": {key: value for key, value in fields.items() if value is not None} | undrawn}
    style = _style(file, board)
    if not file.has_mistakes(()):
        _check_names(file, Notation(board, style), board.size)
    file.raise_mistakes()
    return style


def read_plain_words(text: str, source: str) -> Words:
    """Return the words of a text that consists of a complete `[dialogue]`."""
    file = TomlText(text, source)
    words = read_words(file, None, None)
    file.raise_mistakes()
    return words


def _name(file: TomlText, default: str, taken: Collection[str]) -> str:
    name = reading.text(file, ("name",), default)
    if not NAME.fullmatch(name):
        mend = "" if "name" in file.data else '; rename the file, or give it a name with name = "..."'
        file.mistake(
            ("name",),
            f"'{printable(name)}' must be at most 64 letters, digits and _ . -, starting with a letter or "
            f"digit{mend}",
        )
    if name in taken:
        file.mistake(("name",), f"'{name}' is the name of a built-in variant")
    return name


def _board(file: TomlText) -> Board | None:
    found = reading.get(file, ("board",))
    if isinstance(found, str):
        try:
            return family_board(found)
        except UnknownVariant as error:
            file.mistake(("board",), str(error))
    elif isinstance(found, dict):
        return _graph(file, found)
    else:
        problem = "missing" if found is None else "must be a text or a table"
        file.mistake(("board",), f'{problem}; write board = "grid-6x6", or board.edges = [[0, 1], ...]')
    return None


def _graph(file: TomlText, table: dict[str, Any]) -> Board | None:
    reading.check_keys(file, ("board",), table, ("size", "edges"))
    edges = table.get("edges", [])
    if not isinstance(edges, list):
        file.mistake(("board", "edges"), "must be a list of pairs of cells, such as [[0, 1], [1, 2]]")
        return None
    size = _size(file, table.get("size"), edges)
    seen: dict[tuple[int, int], int] = {}
    for number, edge in enumerate(edges):
        _check_edge(file, number, edge, size, seen)
    return Board(GRAPH, size, seen) if size else None


def _size(file: TomlText, size: Any, edges: list[Any]) -> int:
    """Return the number of cells, given or one more than the highest in an edge; 0 if it is wrong."""
    path: Path = ("board", "edges") if size is None else ("board", "size")
    if size is None:
        highest = [max(edge) for edge in edges if _is_pair(edge)]
        if edges and not highest:
            return 0  # none of the edges can be read, which is the mistake
        size = max(highest, default=-1) + 1
    if not _is_cell(size):
        file.mistake(path, "must be a whole number")
    elif size < 1:
        file.mistake(
            path, "the board has no cell; give board.edges, or board.size for cells without neighbours"
        )
    elif size > MOST_CELLS:
        file.mistake(path, f"the board has {size} cells; the limit is {MOST_CELLS}")
    else:
        return int(size)
    return 0


def _check_edge(file: TomlText, number: int, edge: Any, size: int, seen: dict[tuple[int, int], int]) -> None:
    path = ("board", "edges", number)
    if not _is_pair(edge):
        file.mistake(path, "must be a pair of cells, such as [0, 1]")
        return
    a, b = sorted(edge)
    missing = [cell for cell in (a, b) if cell < 0 or (size and cell >= size)]
    if missing:
        last = f"the cells are 0 to {size - 1}" if size else "cells are numbered from 0"
        file.mistake(path, f"there is no cell {missing[0]}; {last}")
    elif a == b:
        file.mistake(path, f"joins cell {a} to itself")
    elif (a, b) in seen:
        file.mistake(path, f"joins cells {a} and {b} again; board.edges[{seen[a, b]}] does already")
    else:
        seen[a, b] = number


def _is_cell(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_pair(edge: Any) -> bool:
    return isinstance(edge, list) and len(edge) == 2 and all(map(_is_cell, edge))


def _style(file: TomlText, board: Board | None) -> Style:
    """Return the style; what depends on the board is not checked if the board could not be read."""
    table = reading.table(file, ("notation",))
    reading.check_keys(file, ("notation",), table, Style._fields)
    typed = reading.choice(file, ("notation", "typed"), _TYPED, "number")
    if typed == "row column" and board is not None and board.rows is None:
        file.mistake(("notation", "typed"), "this board has no rows and columns; it must be 'number'")
    style = Style(
        typed=typed,
        first=_first(file, table.get("first", 0)),
        printed=_read_printed(file, board),
        empty=_glyph(file, ("notation", "empty"), "." if typed == "row column" else None),
        blocked=None if table.get("blocked") is False else _glyph(file, ("notation", "blocked"), "-"),
        stones=_stones(file, table.get("stones", ["X", "O"])),
        row=_row(file, board) if board is not None else None,
    )
    _check_glyphs(file, style)
    return style


def _first(file: TomlText, first: Any) -> int:
    if first in (0, 1) and _is_cell(first):
        return int(first)
    file.mistake(("notation", "first"), "must be 0 or 1, the number of the first cell")
    return 0


def _read_printed(file: TomlText, board: Board | None) -> str:
    path = ("notation", "printed")
    printed = reading.text(file, path, "{number}", MOST_CELL)
    has_rows = board is None or board.rows is not None
    names = reading.placeholders(
        file, path, printed, ("number", "row", "column") if has_rows else ("number",)
    )
    if names is None:
        return "{number}"
    if "number" not in names and not {"row", "column"} <= names:
        file.mistake(path, "must contain {number}" + (", or {row} and {column}" if has_rows else ""))
        return "{number}"
    if printed != printed.strip():
        file.mistake(path, "must not begin or end with a blank")
    return printed


def _glyph(file: TomlText, path: Path, default: str | None) -> str | None:
    found = reading.get(file, path)
    if found is None or _is_glyph(found) or (path[-1] == "empty" and found == " "):
        return default if found is None else str(found)
    more = ", or false for not drawn" if path[-1] == "blocked" else ""
    file.mistake(path, f"must be one printable character{more}")
    return default


def _stones(file: TomlText, found: Any) -> tuple[str, str]:
    path: Path = ("notation", "stones")
    if isinstance(found, list) and len(found) == 2 and all(map(_is_glyph, found)):
        return found[0], found[1]
    file.mistake(path, 'must be two characters, such as ["X", "O"]')
    return "X", "O"


def _is_glyph(found: Any) -> bool:
    return isinstance(found, str) and len(found) == 1 and found.isprintable() and found != " "


def _row(file: TomlText, board: Board) -> str | None:
    path = ("notation", "row")
    template = reading.text(file, path, "")
    if not template:
        return None
    columns = Notation(board, Style()).columns
    holes = len(re.findall(r"\{(?::[<>^]\d{1,2})?\}", template))
    if template.count("{") != holes or template.count("}") != holes:
        file.mistake(path, "may contain {} and widths such as {:>3}, and no other braces")
    elif holes != columns or board.size % columns:
        file.mistake(
            path, f"must have a {{}} for each of the {columns} columns of a full row, and has {holes}"
        )
    elif len(template) > MOST_CELL * columns:
        file.mistake(path, f"must have at most {MOST_CELL} characters for each column")
    else:
        return template
    return None


def _check_glyphs(file: TomlText, style: Style) -> None:
    """Note glyphs that are used for two things, which would then look the same."""
    used: dict[str, str] = {}
    parts = {"stones[0]": style.stones[0], "stones[1]": style.stones[1]}
    parts |= {"empty": style.empty or "", "blocked": style.blocked or ""}
    for part, glyph in parts.items():
        path: Path = ("notation", part.partition("[")[0])
        if glyph and glyph in used:
            file.mistake(path, f"{part} clashes with {used[glyph]}: both are drawn as '{glyph}'")
        elif glyph.isdigit() and style.empty is None:
            file.mistake(path, f"{part} clashes with the numbers of empty cells: '{glyph}' is a digit")
        used.setdefault(glyph, part)


def _check_names(file: TomlText, notation: Notation, size: int) -> None:
    """Note a cell that is not found by its printed name or by its typed form."""
    for cell in range(size):
        for text in (notation.name(cell), notation.spell(cell)):
            if not _finds(notation, text, cell):
                file.mistake(("notation", "printed"), f"'{text}' may also mean another cell")
                return


def _finds(notation: Notation, text: str, cell: int) -> bool:
    try:
        return notation.parse(text) == cell
    except UnreadableCell:
        return False


def _errata(file: TomlText) -> tuple[Erratum, ...]:
    found = file.data.get("errata", [])
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        file.mistake(("errata",), "must be tables, each headed [[errata]]")
        return ()
    errata = []
    for number, entry in enumerate(found):
        path: Path = ("errata", number)
        reading.check_keys(file, path, entry, Erratum._fields)
        texts = {key: entry.get(key, "") for key in Erratum._fields}
        if not all(isinstance(text, str) and text for text in texts.values()):
            file.mistake(path, "must have where and what, both texts in quotes")
            continue
        errata.append(Erratum(**texts))
    return tuple(errata)
