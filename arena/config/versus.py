"""The tournament of `arena versus`: two bots, named on the command line.

It has a log like any other, so it can be stopped, resumed, verified and sent away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from arena.bots.finding import read_bot
from arena.bots.source import Source
from arena.config.reading import Tournament, read_tournament
from arena.errors import UserError
from arena.formats.meeting import Settings
from arena.game import RULE_BOOKS, variant
from arena.referee.game import DEFAULT_LIMITS, SEED
from arena.solver.health import why_degenerate

VERSUS = "versus"
MOST_OPENINGS = 10_000


def read_versus(
    one: str,
    other: str,
    config: str | None,
    isolation: str | None,
    settings: Settings,
    commands: Sequence[Source] = (),
) -> tuple[Tournament, list[str]]:
    """Return the tournament of two bots, and a sentence for each variant that is left out."""
    read = _from_config(config, isolation) if config is not None else _by_default(isolation)
    if commands and read.isolation == "trusted":
        raise UserError("a command is always sandboxed; leave out --isolation trusted")
    bots, paths = _bots(one, other, read, commands)
    told = {v.name: why for v in read.variants if (why := why_degenerate(v)) is not None}
    variants = tuple(v for v in read.variants if v.name not in told)
    if not variants:
        raise UserError("none of the variants can rank anybody: " + "; ".join(told))
    name = f"{VERSUS}-{bots[0].name}-{bots[1].name}"
    lines = [f"{v} is degenerate and left out: {why.removeprefix('degenerate: ')}" for v, why in told.items()]
    read = read._replace(name=name, variants=variants, bots=bots, paths=paths, settings=settings)
    return read, lines


def _by_default(isolation: str | None) -> Tournament:
    return Tournament(
        name="",
        format=VERSUS,
        variants=tuple(map(variant, RULE_BOOKS)),
        openings=MOST_OPENINGS,
        repeats=1,
        seed=SEED,
        isolation=isolation or "sandboxed",
        limits=DEFAULT_LIMITS,
        bots=(),
        paths={},
        config=Path(),
        text="",
        results=Path("results"),
        settings=Settings(),
        secret=(),
        grading=None,
    )


def _from_config(config: str, isolation: str | None) -> Tournament:
    """Return the variants and limits of a tournament file, without its secret variants."""
    read = read_tournament(config, isolation=isolation)
    shown = tuple(variant for variant in read.variants if variant.name not in read.secret)
    read = read._replace(variants=shown, secret=(), grading=None, notices=())
    return read._replace(format=VERSUS, openings=MOST_OPENINGS, repeats=1)


def find_entered(
    name: str, tournament: Tournament | None, commands: Sequence[Source] = ()
) -> tuple[Source, Path | None]:
    """Return a bot by its name among typed commands or in a tournament file, or else as everywhere.

    A command has no path.
    """
    places = {} if tournament is None else tournament.paths
    entered = () if tournament is None else tournament.bots
    named = {source.name: (source, places.get(source.name)) for source in entered}
    named |= {source.name: (source, None) for source in commands}
    return named[name] if name in named else read_bot(name, Path())


def _bots(
    one: str, other: str, read: Tournament, commands: Sequence[Source]
) -> tuple[tuple[Source, Source], dict[str, Path]]:
    """Return both bots; if they have the same name, their folders are added to it."""
    (first, place), (second, place_of_second) = (find_entered(bot, read, commands) for bot in (one, other))
    places = [found.resolve() for found in (place, place_of_second) if found is not None]
    if one == other or (len(places) == 2 and places[0] == places[1]):
        raise UserError(f"{one} and {other} are the same bot; there is nothing to compare")
    if first.name == second.name:
        names = _told_apart(first.name, places)
        first, second = first._replace(name=names[0]), second._replace(name=names[1])
    found_at = {first.name: place, second.name: place_of_second}
    return (first, second), {name: path for name, path in found_at.items() if path is not None}


def _told_apart(name: str, places: list[Path]) -> tuple[str, str]:
    """Return names for two bots of one name: the nearest folders that differ are put before it."""
    for one, other in zip(*(place.parents for place in places), strict=False) if len(places) == 2 else ():
        names = _within(one, name), _within(other, name)
        if names[0] != names[1]:
            return names
    raise UserError(f"both bots are called {name}; rename one of them")


def _within(folder: Path, name: str) -> str:
    """Return a bot's name with its folder's name before it, if that gives a valid name."""
    word = re.sub(r"[^A-Za-z0-9_.-]", "_", folder.name).lstrip("_.-")[: max(0, 63 - len(name))]
    return f"{word}-{name}" if word else name
