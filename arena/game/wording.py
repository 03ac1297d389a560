"""Reads the `[dialogue]` of a rule book: its texts, their placeholders, and how many texts a key may have."""

from __future__ import annotations

from typing import Any

from arena.game import reading
from arena.game.dialogue import PLACEHOLDERS, REASONS, Words
from arena.tomltext import Path, TomlText

_LINES = ("welcome", "turn", "placed", "refused", "over")
_MOST_BETWEEN = 40
"""The most characters between two cells of a list, which may have thousands of cells."""


def read_words(file: TomlText, plain: Words | None, typed: str | None) -> Words:
    """Return the words; `typed` is None if it is not known how a move is typed."""
    table = reading.table(file, ("dialogue",))
    reading.check_keys(file, ("dialogue",), table, Words._fields)
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


def _word(file: TomlText, key: str, default: str) -> str:
    path = ("dialogue", key)
    if key not in PLACEHOLDERS:
        return reading.text(file, path, default, _MOST_BETWEEN)
    text = reading.text(file, path, default)
    is_good = reading.placeholders(file, path, text, PLACEHOLDERS[key]) is not None
    return _end_lines(text) if key in _LINES and is_good else text


def _several(file: TomlText, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list of texts, which may be given as one text."""
    path: Path = ("dialogue", key)
    found = reading.get(file, path)
    if found is None:
        return default
    texts = found if isinstance(found, list) else [found]
    if not texts or not all(isinstance(text, str) for text in texts):
        file.mistake(path, "must be a text or a list of texts")
        return default
    for text in texts:
        reading.placeholders(file, path, text, PLACEHOLDERS[key])
    return tuple(_end_lines(text) if key in _LINES else text for text in texts)


def _end_lines(text: str) -> str:
    """Return a text that ends with a newline, unless it is empty."""
    return text if not text or text.endswith("\n") else text + "\n"


def _reasons(file: TomlText, plain: dict[str, str]) -> dict[str, str]:
    path: Path = ("dialogue", "reasons")
    table = reading.table(file, path)
    reading.check_keys(file, path, table, REASONS)
    reasons = {reason: reading.text(file, (*path, reason), plain.get(reason, "")) for reason in REASONS}
    for reason, text in reasons.items():
        reading.placeholders(file, (*path, reason), text, PLACEHOLDERS["reasons"])
    return reasons
