"""The bots of a tournament file: which they are, what they are called, and their files.

A `[[bots]]` table is one bot, or all bots that a glob matches, in the order of their names. A glob takes what
looks like a bot: a Python file or a folder with `bot.py`. It ignores everything else, and names that begin
with `.` or `_`, as `arena bots` does. A path without wildcards must be a bot.

Every table is read to its end, whatever is wrong in it, and a bot that cannot be read still has its name. So
a user sees missing files and duplicate names in one go.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.bots.finding import bots_in
from arena.bots.source import Source, read_command, read_source
from arena.config.places import matching
from arena.config.shape import BotTable, Shape
from arena.errors import BotFileError, did_you_mean, printable
from arena.tomltext import Path as Keys
from arena.tomltext import TomlText


class Entry(NamedTuple):
    """A bot that has entered: its files, and where they are unless it is a command."""

    source: Source
    place: Path | None


class _Entrant(NamedTuple):
    """A bot before it is read: its name, None if the file gives a wrong one, and where it should be."""

    name: str | None
    place: Path | None


def read_entries(file: TomlText, shape: Shape, base: Path, isolation: str) -> list[Entry]:
    """Return the bots in the order of the file; everything that is wrong with them is noted."""
    if not shape.tables.bots and ("bots",) not in shape.wrong:
        file.mistake(("bots",), 'missing; write [[bots]] with path = "bots/*.py" below it')
    entries = []
    taken: dict[str, str] = {}
    for number in range(len(shape.tables.bots)):
        for entrant in _entrants(file, shape, number, base):
            _check_free(file, number, entrant, taken)
            if entrant.place is None and isolation == "trusted":
                mend = 'play with isolation = "sandboxed", or leave it out'
                file.mistake(("bots", number, "command"), f"a command is always sandboxed; {mend}")
            entry = _entry(file, shape, number, entrant, base)
            entries += [entry] if entry else []
    return entries


def _entrants(file: TomlText, shape: Shape, number: int, base: Path) -> list[_Entrant]:
    """Return the bots that one table enters; none, and a noted mistake, if that is not clear."""
    written, table = file.data["bots"][number], shape.tables.bots[number]
    if not isinstance(written, dict):
        return []  # noted when its shape was read
    if ("path" in written) == ("command" in written):
        has = "has both path and command" if "path" in written else "has neither path nor command"
        file.mistake(("bots", number), f"{has}; it must have one of them")
        return []
    if "command" in written:
        if "name" not in written:
            file.mistake(("bots", number, "name"), 'missing; a command needs a name, such as name = "mine"')
        return [_Entrant(table.name, None)]
    return list(_python_entrants(file, shape, number, base)) if table.path is not None else []


def _python_entrants(file: TomlText, shape: Shape, number: int, base: Path) -> Iterator[_Entrant]:
    table = shape.tables.bots[number]
    assert table.path is not None
    try:
        places = _matches(table.path, base)
    except BotFileError as error:
        file.mistake(("bots", number, "path"), str(error))
        return
    if not places:
        start = printable(str(base), 200)
        message = f"'{printable(table.path, 200)}' matches no bot; relative paths start at {start}"
        file.mistake(("bots", number, "path"), message)
    is_misnamed = ("bots", number, "name") in shape.wrong
    if table.name is not None and len(places) > 1:
        message = f"'{printable(table.path, 200)}' matches {len(places)} bots, which cannot share one name"
        file.mistake(("bots", number, "name"), message)
        is_misnamed = True
    for place in places:
        yield _Entrant(None if is_misnamed else table.name or _own_name(place), place)


def _matches(text: str, base: Path) -> list[Path]:
    """Return the bots that a path stands for; a path without wildcards always stands for one."""
    place = base / text
    if not glob.has_magic(text) or os.path.lexists(place):  # a file may well be called `my[1].py`
        return [place]
    written = set(Path(text).parts)  # `_drafts` is not hidden if the path names it
    shown = [match for match in matching(text, base) if not _is_hidden(set(match.parts) - written)]
    bots = {base / match for match in shown if _is_bot(base / match)}
    whole = [bot for bot in bots if bots.isdisjoint(bot.parents)]  # `**` finds the parts of a folder too
    return sorted(whole, key=lambda bot: (_own_name(bot), bot))


def _is_hidden(parts: set[str]) -> bool:
    return any(part.startswith((".", "_")) for part in parts)


def _is_bot(place: Path) -> bool:
    """Whether something looks like a bot; what we may not read does not."""
    try:
        return (place.suffix == ".py" and place.is_file()) or (place / "bot.py").is_file()
    except OSError:
        return False


def _own_name(place: Path) -> str:
    return place.name.removesuffix(".py")


def _check_free(file: TomlText, number: int, entrant: _Entrant, taken: dict[str, str]) -> None:
    """Note a mistake if an earlier bot has this name; otherwise the name is taken from now on."""
    name, place = entrant
    if name is None:
        return
    if name in taken:
        key = "name" if "name" in file.data["bots"][number] else "path"
        message = f"there is already a bot '{printable(name)}': {taken[name]}"
        file.mistake(("bots", number, key), f'{message}; name = "..." lets two versions meet')
    lies = f" ({printable(str(from_here(place)), 200)})" if place else ""
    taken.setdefault(name, f"bots[{number}]{lies}")


def _entry(file: TomlText, shape: Shape, number: int, entrant: _Entrant, base: Path) -> Entry | None:
    """Return a bot with its files; None, and a noted mistake, if they cannot be read."""
    table, name = shape.tables.bots[number], entrant.name or "unnamed"
    at: Keys = ("bots", number, "path" if entrant.place else "command")
    try:
        if entrant.place is not None:
            return Entry(read_source(from_here(entrant.place), name), entrant.place)
        return _command(file, shape, at, table, name, base)
    except BotFileError as error:
        file.mistake(at, f"{error}{_hint(entrant.place)}")
    except OSError as error:  # such as a path that is too long, or a folder that we may not enter
        file.mistake(at, f"cannot be read: {error.strerror}")
    return None


def _command(file: TomlText, shape: Shape, at: Keys, table: BotTable, name: str, base: Path) -> Entry:
    words = table.command or []
    if words and not words[0] and (*at, 0) not in shape.wrong:
        file.mistake((*at, 0), "must be a program")
    for number, word in enumerate(words):
        if _looks_like_a_file(word) and not _is_file_below(base, word):
            start = printable(str(base), 200)
            file.mistake((*at, number), f"there is no file '{printable(word, 200)}' below {start}")
    return Entry(read_command(words, name, base), None)


def _looks_like_a_file(word: str) -> bool:
    """Whether a word of a command should name one of the bot's own files; an option `-x=a/b` need not."""
    return "/" in word and not word.startswith(("/", "-"))


def _is_file_below(base: Path, word: str) -> bool:
    return ".." not in Path(word).parts and Path(base, word).is_file()


def _hint(place: Path | None) -> str:
    """Return what a user may have meant by a path where there is no bot, or nothing."""
    if place is None:
        return ""
    try:
        if not place.exists():
            return did_you_mean(place.name, [bot.name for bot in bots_in(place.parent).values()])
        has_bots = place.is_dir() and bots_in(place)
        return "; add /* to enter the bots in that folder" if has_bots else ""
    except OSError:
        return ""


def from_here(place: Path) -> Path:
    """Return a path as people would write it: relative if it is below the working directory."""
    try:
        return place.relative_to(Path.cwd())
    except (ValueError, OSError):  # it is elsewhere, or the working directory has been deleted
        return place
