"""What the author of a tournament file may not have meant: bots that do not play, and bots that are the same.

None is a mistake. A glob may leave out drafts on purpose, and two names for one file show how much chance
there is in a table. But nobody should learn from the final table that a folder did not play, so it is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from arena.bots.finding import bots_in, looks_like_a_bot
from arena.bots.naming import own_name
from arena.bots.starters import STARTERS
from arena.config.entries import Entry, is_glob
from arena.config.places import matching
from arena.config.shape import BotTable
from arena.errors import BotFileError, printable

MOST_NAMED = 5
"""The most bots that a sentence names."""


def say_overlooked(tables: Sequence[BotTable], entries: Sequence[Entry], base: Path) -> list[str]:
    """Return a sentence for each glob that leaves out something that looks like a bot and does not play."""
    playing = {entry.place for entry in entries if entry.place is not None}
    playing |= {base / file for entry in entries if entry.source.command for file in entry.source.files}
    told = []
    for table in tables:
        if table.path is None or not is_glob(table.path, base):
            continue
        beside = [place for place in sorted(_beside(table.path, base)) if playing.isdisjoint(place.parents)]
        folders = [place for place in beside if looks_like_a_bot(place) and place not in playing]
        left = [place for place in folders if own_name(place) not in table.exclude]
        told += [_say_folders(table.path, left)] if left else []
        told += [_say_shelf(table.path, place, base) for place in beside if _is_shelf(place, playing)]
    return told


def say_identical(entries: Sequence[Entry]) -> list[str]:
    """Return a sentence for each group of bots that have the same files."""
    groups: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        groups[entry.source.version].append(entry.source.name)
    same = {version: sorted(names) for version, names in groups.items() if len(names) > 1}
    return [
        f"the same files (version {version[:12]}): {name_some(names)}; each is ranked by itself"
        for version, names in same.items()
    ]


def say_without_solver(entries: Sequence[Entry], has_solver: bool) -> list[str]:
    """Return a sentence about arena's own bots that cannot start where the solver is taken away."""
    asking = [
        entry.source.name
        for entry in entries
        if entry.source.version == STARTERS["perfect"] and not (has_solver or entry.keeps_solver)
    ]
    mend = "a [[bots]] of its own with solver = true lets it keep it"
    return [
        f"{name} asks arena.solver, which [limits] takes away, and will not start; {mend}" for name in asking
    ]


def name_some(names: Sequence[str]) -> str:
    """Return names as part of a sentence, at most five of them."""
    shown = [printable(name) for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMED} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else shown[0]


def _beside(pattern: str, base: Path) -> list[Path]:
    """Return the folders that a pattern would match if it did not end in `.py`."""
    try:
        found = matching(pattern.removesuffix(".py"), base)
    except BotFileError:  # there are too many files to look at; then we say nothing about them
        return []
    return [base / at for at in found if not at.name.startswith((".", "_")) and (base / at).is_dir()]


def _is_shelf(place: Path, playing: set[Path]) -> bool:
    """Whether a folder is no bot, but has bots in it that do not play."""
    is_entered = any(bot.is_relative_to(place) for bot in playing)
    return not is_entered and not looks_like_a_bot(place) and bool(_shelved(place))


def _shelved(place: Path) -> list[str]:
    try:
        return sorted(bots_in(place))
    except OSError:  # what we may not read has no bots for us
        return []


def _say_folders(pattern: str, left: Sequence[Path]) -> str:
    are = "are folders" if len(left) > 1 else "is a folder"
    wider = printable(pattern.removesuffix(".py"), 200)
    named = name_some([place.name for place in left])
    shown = printable(pattern, 200)
    return f"'{shown}' leaves out {named}, which {are} with bot.py; '{wider}' takes files and folders"


def _say_shelf(pattern: str, place: Path, base: Path) -> str:
    inside = _shelved(place)
    path = printable(str(place.relative_to(base) if place.is_relative_to(base) else place), 200)
    has = f"'{printable(inside[0])}'" if len(inside) == 1 else f"{len(inside)} bots"
    shown = printable(pattern, 200)
    return f"'{shown}' leaves out {has} in the folder {path}; path = \"{path}/*\" enters what is in it"
