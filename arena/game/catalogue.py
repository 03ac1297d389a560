"""Finds a variant by what a user types: a rule book's name, `rule:board`, or the path of a TOML file.

This is the only module of the kernel that opens files. `rulebook` reads what is in them.
"""

from __future__ import annotations

import os
from functools import cache

from arena.errors import FileMistakes, UnknownVariant, UserError, did_you_mean, printable
from arena.game.dialogue import Words
from arena.game.families import board as family_board
from arena.game.notation import Style
from arena.game.rule import RULES
from arena.game.variant import RuleBook, Variant

RULE_BOOKS = {
    "blockade-4x4": "blockade-4x4.toml",
    "blockade-5x5": "blockade-5x5.toml",
    "grid-lock": "grid-lock.toml",
    "grid-block": "grid-block.toml",
    "blockade-line": "blockade-line.toml",
}
"""The built-in rule books and their files in `rulebooks/`."""

_HERE = os.path.dirname(__file__)
_LARGEST_FILE = 1 << 20


WAYS = "a name such as 'blockade-5x5', a rule:board such as 'snort:grid-6x6', or the path of a TOML file"
"""How to say which variant is meant."""


def variant(name: str | os.PathLike[str] | Variant) -> Variant:
    """Return a variant; UnknownVariant if there is none of that name, FileMistakes for a bad file."""
    if isinstance(name, Variant):
        return name
    if not isinstance(name, str | os.PathLike):
        raise UnknownVariant(f"{printable(repr(name), 80)} is no variant; a variant is {WAYS}")
    text = os.fspath(name)
    if text in RULE_BOOKS:
        return _built_in(text)
    if text.endswith(".toml") or os.sep in text or isinstance(name, os.PathLike):
        return _from_file(text)
    if ":" in text:
        return _compose(text)
    there_are = f"; there are {', '.join(RULE_BOOKS)}, any rule:board such as snort:grid-6x6, and TOML files"
    raise UnknownVariant(f"unknown variant '{printable(text)}'{did_you_mean(text, RULE_BOOKS) or there_are}")


@cache
def _built_in(name: str) -> Variant:
    from arena.game import rulebook

    file = RULE_BOOKS[name]
    return rulebook.read(_read_packaged("rulebooks", file), file, name, _plain_words())


def _from_file(path: str) -> Variant:
    from arena.game import rulebook

    try:
        with open(path, "rb", opener=without_waiting) as file:
            data = file.read(_LARGEST_FILE + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{printable(path, 200)}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileMistakes(
            [f"{printable(path, 200)}:{line}: not valid TOML: the text is not UTF-8"]
        ) from None
    except ValueError as error:  # a path with a NUL in it
        raise UserError(f"{printable(path, 200)}: {error}") from None
    if len(data) > _LARGEST_FILE:
        raise UserError(f"{printable(path, 200)}: a variant file may have at most 1 MiB")
    stem = os.path.basename(path).removesuffix(".toml")
    return rulebook.read(text, path, stem, _plain_words(), RULE_BOOKS)


def without_waiting(path: str, flags: int) -> int:
    """Open a file for `open` without waiting: a pipe that nobody writes to is empty."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(descriptor, True)  # a shell's <(...) has its writer, who may be slow
    return descriptor


@cache
def _compose(name: str) -> Variant:
    rule, _, board = name.partition(":")
    if rule not in RULES:
        near = did_you_mean(rule, RULES) or f"; rules are {', '.join(RULES)}"
        raise UnknownVariant(f"unknown rule '{printable(rule)}' in '{printable(name)}'{near}")
    book = RuleBook(name, "", RULES[rule].literature, is_start_agreed=True, words=_plain_words())
    return Variant(name, rule, family_board(board), Style(), book)


@cache
def _plain_words() -> Words:
    from arena.game import rulebook

    return rulebook.read_plain_words(_read_packaged("plain.toml"), "plain.toml")


def _read_packaged(*parts: str) -> str:
    with open(os.path.join(_HERE, *parts), encoding="utf-8") as file:
        return file.read()
