"""Finds a bot by what a user types: a path, a name in `bots/`, or a starter bot."""

from __future__ import annotations

import os
from pathlib import Path

from arena.bots.source import Source, read_source
from arena.bots.starters import starter_bots
from arena.errors import BotFileError, did_you_mean, printable


def bots_in(folder: Path) -> dict[str, Path]:
    """Return the bots of a folder by name: Python files, and folders with `bot.py`."""
    places = places_in(folder)
    files = {place.stem: place for place in places if not place.is_dir()}
    return files | {place.name: place for place in places if place.is_dir()}


def places_in(folder: Path) -> list[Path]:
    """Return where the bots of a folder are, whatever they are called."""
    if not folder.is_dir():
        return []
    found = [place for place in sorted(folder.iterdir()) if not place.name.startswith((".", "_"))]
    return [place for place in found if looks_like_a_bot(place)]


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
    if text in (".", "..") or os.path.isfile(
        os.path.join(text, "bot.py")
    ):  # False for an impossible file name
        return Path(text)
    hint = did_you_mean(text, known) or f"; give a file, or one of {', '.join(sorted(known))}"
    raise BotFileError(f"there is no bot '{printable(text)}'{hint}")


def find_bots(text: str, here: Path) -> list[str]:
    """Return the bots that a user's word stands for: all bots of a folder that is none itself, or one.

    BotFileError if there is no bot in the folder.
    """
    is_known = "/" not in text and text in starter_bots() | bots_in(here / "bots")
    if is_known or not os.path.isdir(here / text) or os.path.isfile(here / text / "bot.py"):
        return [text]
    places = places_in(Path(text))
    if not places:
        raise BotFileError(
            f"{printable(text, 200)}: there is no bot in this folder; a bot is a Python file, or a folder "
            "with `bot.py`. A bot in another language is entered with command = [...] in a tournament file"
        )
    return [str(place) for place in places]


def read_bot(text: str, here: Path, name: str | None = None) -> tuple[Source, Path]:
    """Return the bot that a user typed: its files, and where they are."""
    path = find_bot(text, here)
    return read_source(path, name), path
