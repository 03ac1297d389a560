"""A rule book is a TOML file: this module reads one, and finds every mistake in it.

    name, title, text       how it is called, and its prose
    literature              what the game is called elsewhere
    rule                    kayles, snort or col
    board                   "grid-4x4", or board.edges and board.size for any graph
    start                   "player 1" or "agreed"
    [notation]              the fields of `notation.Style`
    [dialogue]              the fields of `dialogue.Words`
    [[errata]]              where, what

Only `rule` and `board` are required. What a file leaves out is taken from `plain.toml`. Reading goes
through to the end whatever it finds, noting mistakes by path, so that a user sees all of them at once;
what could not be read is replaced by the default, and nothing is built unless there was no mistake.
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection
from typing import Any

from arena.errors import UnknownVariant, UnreadableCell, did_you_mean, printable
from arena.game.board import GRAPH, MOST_CELLS, Board
from arena.game.dialogue import PLACEHOLDERS, REASONS, Words
from arena.game.families import board as family_board
from arena.game.notation import Notation, Style
from arena.game.rule import RULES
from arena.game.variant import Erratum, RuleBook, Variant
from arena.tomltext import Path, TomlText

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)

_TOP = ("name", "title", "text", "literature", "rule", "board", "start", "notation", "dialogue", "errata")
_STARTS = ("player 1", "agreed")
_TYPED = ("number", "row column")


def read(text: str, source: str, default_name: str, plain: Words, taken: Collection[str] = ()) -> Variant:
    """Return the variant of a rule book's text; FileMistakes with all that is wrong in it.

    `plain` are the words for what the file does not say; `taken` are names it may not have.
    """
    file = TomlText(text, source)
    _check_keys(file, (), file.data, _TOP)
    name = _name(file, default_name, taken)
    rule = _choice(file, ("rule",), tuple(RULES), None)
    board = _board(file)
    style = _style(file, board)
    book = RuleBook(
        title=_text(file, ("title",), name),
        text=_text(file, ("text",), ""),
        literature=_text(file, ("literature",), RULES[rule].literature),
        is_start_agreed=_choice(file, ("start",), _STARTS, "agreed") == "agreed",
        words=_words(file, plain, style.typed if board else None),
        errata=_errata(file),
    )
    if board is not None and not file.has_mistakes(("notation",)):
        _check_names(file, Notation(board, style), board.size)
    file.raise_mistakes()
    assert board is not None, "a board that could not be read is a mistake"
    return Variant(name, rule, board, style, book)


def read_words(text: str, source: str) -> Words:
    """Return the words of a text that holds nothing but a whole `[dialogue]`."""
    file = TomlText(text, source)
    words = _words(file, None, None)
    file.raise_mistakes()
    return words


def _get(file: TomlText, path: Path) -> Any:
    """Return what stands at a path, or None."""
    found: Any = file.data
    for part in path:
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _table(file: TomlText, path: Path) -> dict[str, Any]:
    found = _get(file, path)
    if isinstance(found, dict):
        return found
    if found is not None:
        file.mistake(path, "must be a table")
    return {}


def _text(file: TomlText, path: Path, default: str) -> str:
    found = _get(file, path)
    if found is None or isinstance(found, str):
        return default if found is None else found
    file.mistake(path, "must be a text in quotes")
    return default


def _choice(file: TomlText, path: Path, choices: tuple[str, ...], default: str | None) -> str:
    """Return one of the choices; a missing one is a mistake where there is no default."""
    found = _get(file, path)
    if found is None and default is not None:
        return default
    listed = ", ".join(f"'{choice}'" for choice in choices)
    if found is None:
        file.mistake(path, f"missing; it must be one of {listed}")
    elif found not in choices:
        hint = (isinstance(found, str) and did_you_mean(found, choices)) or f"; it must be one of {listed}"
        file.mistake(path, f"unknown value '{printable(str(found))}'{hint}")
    return found if found in choices else default or choices[0]


def _check_keys(file: TomlText, path: Path, table: dict[str, Any], known: Collection[str]) -> None:
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known) or f"; known are {', '.join(known)}"
            file.mistake((*path, key), f"unknown key{hint}")


def _name(file: TomlText, default: str, taken: Collection[str]) -> str:
    name = _text(file, ("name",), default)
    if not NAME.fullmatch(name):
        mend = "" if "name" in file.data else '; rename the file, or give it a name with name = "..."'
        file.mistake(
            ("name",),
            f"'{printable(name)}' must be at most 64 letters, digits and _ . -, the first no mark{mend}",
        )
    if name in taken:
        file.mistake(("name",), f"'{name}' is the name of a built-in variant")
    return name


def _board(file: TomlText) -> Board | None:
    found = _get(file, ("board",))
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
    _check_keys(file, ("board",), table, ("size", "edges"))
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
    """Return the number of cells, given or one more than the highest in an edge; 0 if it will not do."""
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
        file.mistake(path, f"the board has {size} cells, and {MOST_CELLS} are the most")
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
    """Return the style; what depends on the board is not looked at where the board could not be read."""
    table = _table(file, ("notation",))
    _check_keys(file, ("notation",), table, Style._fields)
    typed = _choice(file, ("notation", "typed"), _TYPED, "number")
    if typed == "row column" and board is not None and board.rows is None:
        file.mistake(("notation", "typed"), "this board has no rows and columns; it must be 'number'")
    style = Style(
        typed=typed,
        first=_first(file, table.get("first", 0)),
        printed=_printed(file, board),
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


def _printed(file: TomlText, board: Board | None) -> str:
    path = ("notation", "printed")
    printed = _text(file, path, "{number}")
    has_rows = board is None or board.rows is not None
    names = _placeholders(file, path, printed, ("number", "row", "column") if has_rows else ("number",))
    if names is None:
        return "{number}"
    if "number" not in names and not {"row", "column"} <= names:
        file.mistake(path, "must hold {number}" + (", or {row} and {column}" if has_rows else ""))
        return "{number}"
    if printed != printed.strip():
        file.mistake(path, "must not begin or end with a blank")
    return printed


def _glyph(file: TomlText, path: Path, default: str | None) -> str | None:
    found = _get(file, path)
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
    template = _text(file, path, "")
    if not template:
        return None
    columns = Notation(board, Style()).columns
    holes = len(re.findall(r"\{(?::[<>^]\d{1,2})?\}", template))
    if template.count("{") != holes or template.count("}") != holes:
        file.mistake(path, "may hold {} and widths such as {:>3}, and no other braces")
    elif holes != columns or board.size % columns:
        file.mistake(
            path, f"must hold a {{}} for each of the {columns} columns of a full row, and holds {holes}"
        )
    else:
        return template
    return None


def _check_glyphs(file: TomlText, style: Style) -> None:
    """Everything drawn must look different: two things with one glyph could not be told apart."""
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
    """Every cell must be found again by its printed and by its typed form."""
    for cell in range(size):
        for text in (notation.name(cell), notation.typed(cell)):
            if not _finds(notation, text, cell):
                file.mistake(("notation", "printed"), f"'{text}' could not be told from another cell")
                return


def _finds(notation: Notation, text: str, cell: int) -> bool:
    try:
        return notation.parse(text) == cell
    except UnreadableCell:
        return False


def _words(file: TomlText, plain: Words | None, typed: str | None) -> Words:
    """Return the words; `typed` is None where it is not known how a move is typed."""
    table = _table(file, ("dialogue",))
    _check_keys(file, ("dialogue",), table, Words._fields)
    single = [key for key in Words._fields if key not in ("turn", "prompt", "reasons")]
    texts: dict[str, Any] = {key: _word(file, key, getattr(plain, key, "")) for key in single}
    texts["turn"] = _several(file, "turn", plain.turn if plain else ("",))
    texts["prompt"] = _several(file, "prompt", plain.prompt if plain else ("",))
    texts["reasons"] = _reasons(file, plain.reasons if plain else {})
    numbers = len(typed.split()) if typed else 0
    if numbers and not file.has_mistakes(("notation", "typed")) and len(texts["prompt"]) not in (1, numbers):
        wanted = (
            "one text" if numbers == 1 else "one text, or a list of 2: one for the row and one for the column"
        )
        file.mistake(("dialogue", "prompt"), f"must be {wanted}")
    return Words(**texts)


_LINES = ("welcome", "turn", "placed", "refused", "over")


def _word(file: TomlText, key: str, default: str) -> str:
    path = ("dialogue", key)
    text = _text(file, path, default)
    if key not in PLACEHOLDERS:
        return text
    is_good = _placeholders(file, path, text, PLACEHOLDERS[key]) is not None
    return _ended(text) if key in _LINES and is_good else text


def _several(file: TomlText, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list of texts, which may be given as one text."""
    path: Path = ("dialogue", key)
    found = _get(file, path)
    if found is None:
        return default
    texts = found if isinstance(found, list) else [found]
    if not texts or not all(isinstance(text, str) for text in texts):
        file.mistake(path, "must be a text or a list of texts")
        return default
    for text in texts:
        _placeholders(file, path, text, PLACEHOLDERS[key])
    return tuple(_ended(text) if key in _LINES else text for text in texts)


def _ended(text: str) -> str:
    """Return a text of whole lines; one without any line stays empty."""
    return text if not text or text.endswith("\n") else text + "\n"


def _reasons(file: TomlText, plain: dict[str, str]) -> dict[str, str]:
    path: Path = ("dialogue", "reasons")
    table = _table(file, path)
    _check_keys(file, path, table, REASONS)
    reasons = {reason: _text(file, (*path, reason), plain.get(reason, "")) for reason in REASONS}
    for reason, text in reasons.items():
        _placeholders(file, (*path, reason), text, PLACEHOLDERS["reasons"])
    return reasons


def _placeholders(file: TomlText, path: Path, template: str, known: Collection[str]) -> set[str] | None:
    """Return the names of a template's placeholders, or None after noting what is wrong with them."""
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        file.mistake(path, "has a lone brace; write {{ or }} for a brace that is printed")
        return None
    names = {name for _, name, _, _ in parts if name is not None}
    for _, name, spec, conversion in parts:
        if name is not None and (name not in known or spec or conversion):
            listed = ", ".join(f"{{{word}}}" for word in known)
            file.mistake(path, f"unknown placeholder {{{name}}}; known here are {listed}")
            return None
    return names


def _errata(file: TomlText) -> tuple[Erratum, ...]:
    found = file.data.get("errata", [])
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        file.mistake(("errata",), "must be tables, each headed [[errata]]")
        return ()
    errata = []
    for number, entry in enumerate(found):
        path: Path = ("errata", number)
        _check_keys(file, path, entry, Erratum._fields)
        texts = {key: entry.get(key, "") for key in Erratum._fields}
        if not all(isinstance(text, str) and text for text in texts.values()):
            file.mistake(path, "must have where and what, both texts in quotes")
            continue
        errata.append(Erratum(**texts))
    return tuple(errata)
