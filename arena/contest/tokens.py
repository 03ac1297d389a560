"""Tokens: what a participant or an organiser shows to be let in, and how a class's worth of them is made.

A secret has 192 random bits and is shown once. Only its SHA-256 is kept: nobody can guess so many bits, so
a slow hash, as for passwords that people choose, would protect nothing. A token belongs to a name, and the
bot that is handed in with it has that name.
"""

from __future__ import annotations

import csv
import hashlib
import io
import secrets
from pathlib import Path
from typing import NamedTuple

from arena.bots.naming import HUMAN, NAME, refuse_name
from arena.errors import FileMistakes, UserError, printable

PARTICIPANT, ORGANISER = "participant", "organiser"
ROLES = (PARTICIPANT, ORGANISER)
MOST_NAMES = 10_000
MOST_BYTES = 1 << 20
"""A list of names is no longer."""

_HEADINGS = frozenset(
    "vorname nachname prénom prenom nom nombre nome student teilnehmer user username login".split()
)
"""What a heading begins with at some schools; a list does not begin with a participant of such a name."""


class Token(NamedTuple):
    """Whose token this is, without its secret; `revoked_at` is None while it is good. Seconds since 1970."""

    name: str
    role: str
    made_at: float
    revoked_at: float | None


def make_secret() -> str:
    """Return a new secret, of letters, digits, `-` and `_`."""
    return secrets.token_urlsafe(24)


def hash_secret(secret: str) -> str:
    """Return what is kept of a secret; blanks around it, as from copying, do not matter."""
    return hashlib.sha256(secret.strip().encode(errors="backslashreplace")).hexdigest()


def refuse_token_name(name: str) -> str | None:
    """Return what is wrong with the name of a token, with one that would do; None if nothing is."""
    if name.lower() == HUMAN:
        return f"'{name}' stands for a person in `arena play`; choose another name"
    return None if NAME.fullmatch(name) else refuse_name(name)


def read_names(file: Path) -> list[str]:
    """Return the names of a CSV file: its column `name`, or else its first; FileMistakes has all bad ones.

    A first line with a cell `name`, or that begins with another word for it, is a heading.
    """
    rows = _read_rows(file)
    head = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    column = head.index("name") if "name" in head else 0
    is_headed = "name" in head or (bool(head) and head[0] in _HEADINGS)
    named = [(line, row[column].strip() if column < len(row) else "") for line, row in rows[is_headed:]]
    mistakes, seen = [], dict[str, int]()
    for line, name in named:
        wrong = refuse_token_name(name) if name else "there is no name in this line"
        if not wrong and name.lower() in seen:
            wrong = f"'{name}' is in line {seen[name.lower()]} already; two bots need two names"
        seen.setdefault(name.lower(), line)
        if wrong:
            mistakes.append(f"{printable(str(file), 200)}:{line}: {wrong}")
    if mistakes:
        raise FileMistakes(mistakes)
    if not named:
        raise UserError(f"{printable(str(file), 200)}: has no names in it; write one on each line")
    return [name for _, name in named]


def _read_rows(file: Path) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, with the numbers of their lines."""
    shown = printable(str(file), 200)
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")  # as spreadsheets write it
    except OSError as error:
        raise UserError(f"{shown}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{shown}: is not text in UTF-8; save it as CSV UTF-8") from None
    separator = ";" if text.partition("\n")[0].count(";") else ","  # spreadsheets of many countries write ;
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise UserError(f"{shown}:{reader.line_num}: is no CSV: {error}") from None
    if len(data) > MOST_BYTES or len(rows) > MOST_NAMES:
        raise UserError(f"{shown}: is too long; it may have {MOST_NAMES:,} names")
    return rows
