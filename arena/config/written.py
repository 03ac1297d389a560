"""A tournament in a Python dict, as the text of a tournament file.

The text is then read like any other, so a dict has the same keys, the same checks and the same messages, and
the log keeps a text that can be played again. Refused: a second way from a dict to a Tournament, which would
drift away from the first.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from operator import index
from typing import Any

from arena.errors import FileMistakes
from arena.plaintext import for_json
from arena.tomltext import Path, write_path

SOURCE = "config"
"""What messages call a dict; a file has its path there."""

BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
"""A key that needs no quotes."""

MOST_DEPTH = 10
"""How deeply a dict may be nested: a tournament needs three levels, and a dict may contain itself."""


def write_toml(config: Mapping[str, Any]) -> str:
    """Return a dict as TOML; FileMistakes with everything in it that TOML cannot hold."""
    writer = _Writer()
    plain, tables = [], []
    for key, value in config.items():
        if isinstance(value, Mapping):
            tables.append(writer.table((key,), f"[{_key(key)}]", value))
        elif isinstance(value, list | tuple) and value and all(isinstance(each, Mapping) for each in value):
            head = f"[[{_key(key)}]]"
            tables += [writer.table((key, number), head, each) for number, each in enumerate(value)]
        else:
            plain.append(f"{_key(key)} = {writer.value((key,), value)}\n")
    if writer.mistakes:
        raise FileMistakes(writer.mistakes)
    return "\n".join(["".join(plain), *tables] if plain else tables)


class _Writer:
    def __init__(self) -> None:
        self.mistakes: list[str] = []

    def table(self, path: Path, head: str, table: Mapping[str, Any]) -> str:
        lines = [f"{_key(key)} = {self.value((*path, key), value)}" for key, value in table.items()]
        return "\n".join([head, *lines]) + "\n"

    def value(self, path: Path, value: Any) -> str:
        if len(path) > MOST_DEPTH:
            return self._refuse(path, f"is nested more than {MOST_DEPTH} deep")
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str | os.PathLike):
            return self._text(path, os.fspath(value))
        if isinstance(value, float):
            return repr(float(value))  # numpy's numbers write their type too
        if isinstance(value, list | tuple):
            parts = [self.value((*path, number), each) for number, each in enumerate(value)]
            return f"[{', '.join(parts)}]"
        if isinstance(value, Mapping):
            pairs = [f"{_key(key)} = {self.value((*path, key), each)}" for key, each in value.items()]
            return f"{{{', '.join(pairs)}}}"
        return self._number(path, value)

    def _number(self, path: Path, value: Any) -> str:
        try:
            number = index(value)
        except TypeError:
            kind = "None" if value is None else f"a {type(value).__name__}"
            return self._refuse(path, f"{kind} cannot be a value of a tournament; leave the key out")
        if not -(1 << 63) <= number < 1 << 63:
            return self._refuse(path, "is a number of more than 64 bits")
        return str(number)

    def _text(self, path: Path, text: str | bytes) -> str:
        if isinstance(text, bytes) or for_json(text) != text:
            return self._refuse(path, "is not a text that can be written")
        return _quote(text)

    def _refuse(self, path: Path, why: str) -> str:
        self.mistakes.append(f"{SOURCE}: {write_path(tuple(map(str, path)))}: {why}")
        return '""'


def _key(key: object) -> str:
    return str(key) if BARE.fullmatch(str(key)) else _quote(str(key))


def _quote(text: str) -> str:
    """Return a text in quotes; JSON's escapes are TOML's too, but for one character."""
    return json.dumps(for_json(text), ensure_ascii=False).replace("\x7f", r"\u007f")
