"""Finds a bot by what a user types: a path, a name in `bots/`, or a starter bot."""

from __future__ import annotations

import os
from pathlib import Path

from arena.bots.source import Source, read_source
from arena.bots.starters import starter_bots
from arena.errors import BotFileError, did_you_mean, printable


def bots_in(folder: Path) -> dict[str, Path]:
    """Return the bots of a folder by name: Python files, and folders with `bot.py`."""
    if not folder.is_dir():
        return {}
    found = [place for place in sorted(folder.iterdir()) if not place.name.startswith((".", "_"))]
    files = {place.stem: place for place in found if place.suffix == ".py" and place.is_file()}
    folders = {place.name: place for place in found if (place / "bot.py").is_file()}
    return files | folders


def looks_like_a_bot(place: Path) -> bool:
    """Whether something is a Python file or a folder with `bot.py`; what we may not read is neither."""
    try:
        return (place.suffix == ".py" and place.is_file()) or (place / "bot.py").is_file()
    except OSError:
        return False


def find_bot(text: str, here: Path) -> Path:
    """Return the file or folder of a bot: a path, or a name in `bots/` here or among the starter bots."""
    if text.endswith(".py") or "/" in text:
        return Path(text)
    known = starter_bots() | bots_in(here / "bots")
    if text in known:
        return known[text]
    if os.path.isfile(os.path.join(text, "bot.py")):  # False for an impossible file name
        return Path(text)
    hint = did_you_mean(text, known) or f"; give a file, or one of {', '.join(sorted(known))}"
    raise BotFileError(f"there is no bot '{printable(text)}'{hint}")


def read_bot(text: str, here: Path, name: str | None = None) -> tuple[Source, Path]:
    """Return the bot that a user typed: its files, and where they are."""
    path = find_bot(text, here)
    return read_source(path, name), path
