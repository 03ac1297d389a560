"""TOML with line numbers: on which line is each key and each element of an array?

`tomllib` reads TOML and forgets the lines, but a user who made a mistake needs them. This module asks
`tomllib` first, so that the rest sees only valid TOML. Then a scanner walks the text once; it knows just
enough: strings, brackets, keys, tables. A path is a tuple of keys and of numbers in arrays, such as
`("board", "edges", 3, 0)`.

Refused: a second parser that keeps positions (tomlkit). It takes longer to import than the kernel.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from arena.errors import FileMistakes, printable

Path = tuple[str | int, ...]

MOST_DEPTH = 100
"""How deeply brackets, or parts of a key, may be nested; our own files need only a few levels."""

# An unclosed string is one token up to the end: otherwise each quote in it would be tried as a new start.
_TOKEN = re.compile(
    r"""
      (?P<skip>   [ \t\r]+ | \#[^\n]* )
    | (?P<string> \"{3} (?: \\. | [^\\] )*? (?: \"{3,5} | \\?\Z ) | '{3} .*? (?: '{3,5} | \Z )
                | " (?: \\. | [^"\\\n] )* "? | ' [^'\n]* '? )
    | (?P<mark>   \n | [\[\]{}=,.] )
    | (?P<bare>   [^\s\[\]{}=,.#"']+ )
    """,
    re.VERBOSE | re.DOTALL,
)


class TomlText:
    """A parsed TOML text that knows the line of everything in it, and collects the mistakes found in it.

    Lines are not told if nobody has seen them (`has_lines`), because the text was made from something else.
    """

    def __init__(self, text: str, source: str, has_lines: bool = True) -> None:
        self.source = source
        self._has_lines = has_lines
        self.data = _parse(text, source)
        self._lines = _Scanner(text).lines
        self._mistakes: list[tuple[int, str]] = []
        self._at: list[Path] = []

    def line(self, path: Path) -> int:
        """Return the line of a path, or of the nearest part of it that is in the text."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def mistake(self, path: Path, message: str) -> None:
        """Note a mistake at a path; `raise_mistakes` reports all of them together."""
        line = self.line(path)
        self._at.append(path)
        where = printable(self.source, 200) + f":{line}" * self._has_lines
        self._mistakes.append((line, f"{where}: {write_path(path)}: {message}"))

    def has_mistakes(self, path: Path) -> bool:
        """Whether a mistake was noted at a path or below it."""
        return any(noted[: len(path)] == path for noted in self._at)

    def raise_mistakes(self) -> None:
        """Raise `FileMistakes` with everything noted so far, in the order of the file; or do nothing."""
        if self._mistakes:
            raise FileMistakes(text for _, text in sorted(self._mistakes, key=lambda m: m[0]))


def write_path(path: Path) -> str:
    """Return a path as people write it: `board.edges[3]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{printable(part)}" for part in path)
    return text.removeprefix(".")


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        _refuse_depth(text)
        data = tomllib.loads(text)
        _refuse_unusable(data)
        return data
    except ValueError as error:  # TOMLDecodeError is one, and so is a number of thousands of digits
        message = str(error)
        at = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
        line = (at and at[1]) or max(1, text.count("\n") + (not text.endswith("\n")))
        reason = printable(message[: at.start()] if at else message, 200)
        raise FileMistakes([f"{printable(source, 200)}:{line}: not valid TOML: {reason}"]) from None


def _refuse_depth(text: str) -> None:
    """ValueError for text that is nested so deeply that parsing it would be an attack."""
    depth = dots = 0
    for kind, token, line in _tokens(text):
        if kind != "mark":
            continue
        depth += (token in "[{") - (token in "]}")
        dots = dots + 1 if token == "." else 0 if token in "=,\n[]" else dots
        if depth > MOST_DEPTH or dots > MOST_DEPTH:
            raise ValueError(f"nested more than {MOST_DEPTH} deep (at line {line}, column 1)")


def _refuse_unusable(value: Any, depth: int = 0) -> None:
    """ValueError for numbers above TOML's 64 bits, which Python may refuse to print, and for depth.

    Keys with dots inside nested brackets can be deeper than the brackets are in the text.
    """
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise ValueError("a number has more than 64 bits")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if inner and depth > MOST_DEPTH:
        raise ValueError(f"nested more than {MOST_DEPTH} deep")
    for part in inner:
        _refuse_unusable(part, depth + 1)


class _Scanner:
    """Walks text that `tomllib` has accepted, and notes the line of every path in `lines`."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tokens = list(_tokens(text))
        self._at = 0
        self._tables: dict[Path, int] = {}  # how many elements an array of tables has so far
        self._document()

    def _document(self) -> None:
        table: Path = ()
        while self._at < len(self._tokens):
            kind = self._peek()
            if kind == "\n":
                self._at += 1
            elif kind == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        line = self._tokens[self._at][2]
        is_array = self._tokens[self._at + 1][1] == "["
        self._at += 1 + is_array
        path = self._resolve(self._key(), is_array)
        self._at += 1 + is_array
        self._note(path, line)
        return path

    def _resolve(self, keys: tuple[str, ...], is_array: bool) -> Path:
        """Add the number of the current element after every array of tables on the way."""

        path: Path = ()
        for key in keys[:-1]:
            path = self._inside((*path, key))
        path = (*path, keys[-1])
        if is_array:
            self._tables[path] = self._tables.get(path, -1) + 1
        return self._inside(path)

    def _inside(self, path: Path) -> Path:
        return (*path, self._tables[path]) if path in self._tables else path

    def _pair(self, table: Path) -> None:
        line = self._tokens[self._at][2]
        path = (*table, *self._key())
        self._note(path, line)
        self._at += 1  # the equals sign
        self._value(path)

    def _note(self, path: Path, line: int) -> None:
        for end in range(1, len(path) + 1):
            self.lines.setdefault(path[:end], line)

    def _key(self) -> tuple[str, ...]:
        parts = []
        while True:
            kind, text, _ = self._tokens[self._at]
            parts.append(_unquote(text) if kind == "string" else text)
            self._at += 1
            if self._peek() != ".":
                return tuple(parts)
            self._at += 1

    def _value(self, path: Path) -> None:
        if self._peek() == "[":
            self._array(path)
        elif self._peek() == "{":
            self._inline_table(path)
        else:
            while self._peek() not in ("\n", ",", "]", "}", ""):
                self._at += 1

    def _array(self, path: Path) -> None:
        self._at += 1
        index = 0
        while self._after_newlines() != "]":
            element = (*path, index)
            self.lines.setdefault(element, self._tokens[self._at][2])
            self._value(element)
            index += 1
            if self._after_newlines() == ",":
                self._at += 1
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        while self._after_newlines() != "}":
            self._pair(path)
            if self._after_newlines() == ",":
                self._at += 1
        self._at += 1

    def _peek(self) -> str:
        """Return the next mark, `value` for anything else, nothing at the end."""
        if self._at == len(self._tokens):
            return ""
        kind, text, _ = self._tokens[self._at]
        return text if kind == "mark" else "value"

    def _after_newlines(self) -> str:
        while self._peek() == "\n":
            self._at += 1
        return self._peek()


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield (kind, text, line) for everything but blanks and comments."""
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind and kind != "skip":
            yield kind, match[0], line
        line += match[0].count("\n")


def _unquote(key: str) -> str:
    (name,) = tomllib.loads(f"{key} = 0")
    return name
