"""Reads parts of a TOML file: notes what is wrong with them, and continues with a default."""

from __future__ import annotations

import string
from collections.abc import Collection
from typing import Any

from arena.errors import did_you_mean, printable
from arena.tomltext import Path, TomlText

MOST_PLACEHOLDERS = 20
"""The most placeholders in one template: each of them may stand for a whole board."""


def get(file: TomlText, path: Path) -> Any:
    """Return the value at a path, or None."""
    found: Any = file.data
    for part in path:
        found = found.get(part) if isinstance(found, dict) else None
    return found


def table(file: TomlText, path: Path) -> dict[str, Any]:
    """Return the table at a path; an empty one if there is none, or if it is not a table, which is noted."""
    found = get(file, path)
    if isinstance(found, dict):
        return found
    if found is not None:
        file.mistake(path, "must be a table")
    return {}


def text(file: TomlText, path: Path, default: str, most: int | None = None) -> str:
    """Return the text at a path; the default if there is none, or if it is not a text, which is noted.

    `most` limits the characters of a text that is written many times, for every cell or placeholder.
    """
    found = get(file, path)
    if found is None:
        return default
    if isinstance(found, str) and (most is None or len(found) <= most):
        return found
    problem = f"have at most {most} characters" if isinstance(found, str) else "be a text in quotes"
    file.mistake(path, f"must {problem}")
    return default


def choice(file: TomlText, path: Path, choices: tuple[str, ...], default: str | None) -> str:
    """Return one of the choices; a missing value is a mistake if there is no default."""
    found = get(file, path)
    if found is None and default is not None:
        return default
    listed = ", ".join(f"'{choice}'" for choice in choices)
    if found is None:
        file.mistake(path, f"missing; it must be one of {listed}")
    elif found not in choices:
        hint = (isinstance(found, str) and did_you_mean(found, choices)) or f"; it must be one of {listed}"
        file.mistake(path, f"unknown value '{printable(str(found))}'{hint}")
    return found if found in choices else default or choices[0]


def check_keys(file: TomlText, path: Path, table: dict[str, Any], known: Collection[str]) -> None:
    """Note every key of a table that is not known, with the nearest that is."""
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known) or f"; known keys are {', '.join(known)}"
            file.mistake((*path, key), f"unknown key{hint}")


def placeholders(file: TomlText, path: Path, template: str, known: Collection[str]) -> set[str] | None:
    """Return the names of a template's placeholders; None, and a noted mistake, if they are wrong."""
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        file.mistake(path, "has a single brace; write {{ or }} to print a brace")
        return None
    names = [name for _, name, _, _ in parts if name is not None]
    for _, name, spec, conversion in parts:
        if name is not None and (name not in known or spec or conversion):
            listed = ", ".join(f"{{{word}}}" for word in known)
            file.mistake(path, f"unknown placeholder {{{printable(name)}}}; known placeholders are {listed}")
            return None
    if len(names) > MOST_PLACEHOLDERS:
        message = f"may have at most {MOST_PLACEHOLDERS} placeholders, and has {len(names)}"
        file.mistake(path, message)
        return None
    return set(names)
