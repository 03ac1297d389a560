"""The bots of a tournament file: which they are, what they are called, and their files.

A `[[bots]]` table is one bot, or all bots that a glob matches, in the order of their names. A glob takes what
looks like a bot: a Python file or a folder with `bot.py`. It ignores everything else, and names that begin
with `.` or `_`, as `arena bots` does, and those in `exclude`. A path without wildcards must be a bot.

A file whose name will not do is a mistake, because otherwise somebody's bot would silently not play. A table
of its own gives it a name, and then a glob passes over it.

Every table is read to its end, whatever is wrong in it, and a bot that cannot be read still has its name. So
a user sees missing files and duplicate names in one go.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.bots.finding import bots_in, looks_like_a_bot
from arena.bots.naming import NAME, own_name, suggest_name
from arena.bots.source import Source, read_command, read_source
from arena.config.places import matching
from arena.config.shape import BotTable, Shape
from arena.errors import BotFileError, did_you_mean, printable
from arena.tomltext import Path as Keys
from arena.tomltext import TomlText

_ONLY_FOR_GLOBS = 'is only for a path with wildcards, such as path = "bots/*"'


class Entry(NamedTuple):
    """A bot that has entered: its files, and where they are unless it is a command."""

    source: Source
    place: Path | None
    keeps_solver: bool = False  # whatever the limits say


class _Entrant(NamedTuple):
    """A bot before it is read: its name, None if the file gives a wrong one, and where it should be."""

    name: str | None
    place: Path | None


def read_entries(
    file: TomlText, shape: Shape, base: Path, isolation: str, needs_bots: bool = True
) -> list[Entry]:
    """Return the bots in the order of the file; everything that is wrong with them is noted."""
    if needs_bots and not shape.tables.bots and ("bots",) not in shape.wrong:
        file.mistake(("bots",), 'missing; write [[bots]] with path = "bots/*" below it')
    entries = []
    taken: dict[str, str] = {}
    for number in range(len(shape.tables.bots)):
        for entrant in _entrants(file, shape, number, base):
            _check_free(file, number, entrant, taken)
            if entrant.place is None and isolation == "trusted":
                mend = 'play with isolation = "sandboxed", or leave it out'
                file.mistake(("bots", number, "command"), f"a command is always sandboxed; {mend}")
            entry = _entry(file, shape, number, entrant, base)
            keeps_solver = shape.tables.bots[number].solver
            entries += [entry._replace(keeps_solver=keeps_solver)] if entry else []
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
        if table.exclude:
            file.mistake(("bots", number, "exclude"), _ONLY_FOR_GLOBS)
        if "name" not in written:
            file.mistake(("bots", number, "name"), 'missing; a command needs a name, such as name = "mine"')
        return [_Entrant(table.name, None)]
    return list(_python_entrants(file, shape, number, base)) if table.path is not None else []


def _python_entrants(file: TomlText, shape: Shape, number: int, base: Path) -> Iterator[_Entrant]:
    table = shape.tables.bots[number]
    assert table.path is not None
    try:
        found = matches(table.path, base)
    except BotFileError as error:
        file.mistake(("bots", number, "path"), str(error))
        return
    _check_excluded(file, shape, number, found, base)
    left_out = _named_elsewhere(shape, base) if is_glob(table.path, base) else set()
    places = [place for place in found if own_name(place) not in table.exclude and place not in left_out]
    if not found:
        start = printable(str(base), 200)
        message = f"'{printable(table.path, 200)}' matches no bot; relative paths start at {start}"
        file.mistake(("bots", number, "path"), message)
    is_misnamed = ("bots", number, "name") in shape.wrong
    if table.name is not None and len(places) > 1:
        message = f"'{printable(table.path, 200)}' matches {len(places)} bots, which cannot share one name"
        file.mistake(("bots", number, "name"), message)
        is_misnamed = True
    for place in places:
        yield _Entrant(None if is_misnamed else table.name or own_name(place), place)


def _check_excluded(file: TomlText, shape: Shape, number: int, found: list[Path], base: Path) -> None:
    """Note an `exclude` that excludes nothing: it may be a slip, and then somebody plays who should not."""
    table = shape.tables.bots[number]
    assert table.path is not None
    keys: Keys = ("bots", number, "exclude")
    if table.exclude and not is_glob(table.path, base):
        file.mistake(keys, _ONLY_FOR_GLOBS)
        return
    names = [own_name(place) for place in found]
    for at, name in enumerate(table.exclude):
        if found and name not in names and (*keys, at) not in shape.wrong:
            hint = did_you_mean(name, names) or "; take it out of the list"
            file.mistake((*keys, at), f"'{printable(table.path, 200)}' has no bot '{printable(name)}'{hint}")


def _named_elsewhere(shape: Shape, base: Path) -> set[Path]:
    """Return the files whose own names will not do and that have a table which names them."""
    named = [base / table.path for table in shape.tables.bots if table.path and table.name]
    return {place for place in named if not NAME.fullmatch(own_name(place))}


def is_glob(text: str, base: Path) -> bool:
    """Whether a path has wildcards; a file may well be called `my[1].py`."""
    return glob.has_magic(text) and not os.path.lexists(base / text)


def matches(text: str, base: Path) -> list[Path]:
    """Return the bots that a path stands for; a path without wildcards always stands for one."""
    if not is_glob(text, base):
        return [base / text]
    written = set(Path(text).parts)  # `_drafts` is not hidden if the path names it
    shown = [match for match in matching(text, base) if not _is_hidden(set(match.parts) - written)]
    bots = {base / match for match in shown if looks_like_a_bot(base / match)}
    whole = [bot for bot in bots if bots.isdisjoint(bot.parents)]  # `**` finds the parts of a folder too
    return sorted(whole, key=lambda bot: (own_name(bot), bot))


def _is_hidden(parts: set[str]) -> bool:
    return any(part.startswith((".", "_")) for part in parts)


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
        file.mistake(at, f"{error}{_hint(entrant, base)}")
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


def _hint(entrant: _Entrant, base: Path) -> str:
    """Return what a user may have meant by a path where there is no bot, or what to do; or nothing."""
    name, place = entrant
    if place is None:
        return ""
    try:
        if not place.exists():
            return did_you_mean(place.name, [bot.name for bot in bots_in(place.parent).values()])
        if name is not None and not NAME.fullmatch(name):
            return _rescue(place, base)
        has_bots = place.is_dir() and bots_in(place)
        return "; add /* to enter the bots in that folder" if has_bots else ""
    except OSError:
        return ""


def _rescue(place: Path, base: Path) -> str:
    """Return how a file whose name will not do can play."""
    path = place.relative_to(base) if place.is_relative_to(base) else place
    table = f'path = "{printable(str(path), 200)}" and name = "{suggest_name(own_name(place))}"'
    return f"; rename it, or add a [[bots]] of its own with {table}"


def from_here(place: Path) -> Path:
    """Return a path as people would write it: relative if it is below the working directory."""
    try:
        return place.relative_to(Path.cwd())
    except (ValueError, OSError):  # it is elsewhere, or the working directory has been deleted
        return place
