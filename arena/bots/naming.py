"""What a bot may be called, and which name to suggest where the name of its file will not do.

Names stand in tables, in paths and in commands of a shell. So they have letters, digits and three signs, and
nothing that must be quoted. Files come from everywhere: `noah copy (1).py` is a second download. Whoever
refuses such a name says which one would do.
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

from arena.errors import printable

LONGEST = 64
NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_.-]{{0,{LONGEST - 1}}}", re.ASCII)
RULE = f"at most {LONGEST} letters from A to Z, digits and _ . -, and the first is a letter or digit"

HUMAN = "human"
"""The word for a person in `arena play`; no bot may have this name."""

_SPELT_OUT: dict[str, str | int | None] = {
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
    "ß": "ss",
    "æ": "ae",
    "ø": "o",
}


def own_name(place: Path) -> str:
    """Return the name that a bot has by its file or folder; that of `.` is the name of the folder."""
    return os.path.basename(os.path.abspath(place)).removesuffix(".py")


def suggest_name(text: str) -> str:
    """Return a name for a bot that is as near to a text as possible."""
    composed = unicodedata.normalize("NFC", text).translate(str.maketrans(_SPELT_OUT))
    plain = unicodedata.normalize("NFKD", composed).encode("ascii", "ignore").decode()
    words = re.sub(r"[^A-Za-z0-9_.-]+", "_", plain)
    return words.lstrip("_.-")[:LONGEST].rstrip("_.-") or "bot"


def refuse_name(text: str) -> str:
    """Return the sentence about a text that cannot be a bot's name, with one that can."""
    return f"'{printable(text)}' cannot be a bot's name ({RULE}); '{suggest_name(text)}' can"
