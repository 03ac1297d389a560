"""The settings of a tournament's format, and who passes: keys that name bots, or are for one format only."""

from __future__ import annotations

from collections.abc import Sequence

from arena.config.shape import Shape
from arena.errors import did_you_mean, printable
from arena.field import Grading
from arena.formats import FORMATS
from arena.formats.meeting import Settings
from arena.tomltext import Path as Keys
from arena.tomltext import TomlText

_ONLY_FOR = {key: name for name, format in FORMATS.items() for key in format.keys}


def read_settings(file: TomlText, shape: Shape, names: Sequence[str]) -> Settings:
    """Return the settings of the format; mistakes in them are noted."""
    table = shape.tables.tournament
    is_known = ("tournament", "format") not in shape.wrong  # otherwise we do not know what was meant
    for key, suits in _ONLY_FOR.items():
        if is_known and getattr(table, key) is not None and table.format != suits:
            file.mistake(("tournament", key), f'is only for format = "{suits}"; this one is "{table.format}"')
    if "gauntlet" in FORMATS[table.format].keys:
        _check_gauntlet(file, shape, names)
    return Settings(
        rounds=table.rounds,
        gauntlet=tuple(table.gauntlet or ()),
        interval_points=table.interval_points or Settings().interval_points,
        seed=table.seed,
    )


def _check_gauntlet(file: TomlText, shape: Shape, names: Sequence[str]) -> None:
    keys: Keys = ("tournament", "gauntlet")
    named = shape.tables.tournament.gauntlet
    if named is None:
        if keys not in shape.wrong:
            message = 'a gauntlet needs the bots that run it: name them with gauntlet = ["..."]'
            file.mistake(("tournament", "format"), message)
        return
    _check_names(file, shape, keys, named, names)
    if names and set(names) <= set(named):
        file.mistake(keys, "names every bot, so no opponents are left")


def read_grading(file: TomlText, shape: Shape, names: Sequence[str]) -> Grading | None:
    """Return who passes, and note mistakes in it; None if nobody is graded."""
    table = shape.tables.grading
    if table is None:
        return None
    keys: Keys = ("grading", "bosses")
    if table.bosses is None:
        if keys not in shape.wrong:
            file.mistake(("grading",), 'needs the bots to play against: name them with bosses = ["..."]')
        return None
    _check_names(file, shape, keys, table.bosses, names)
    if names and set(names) <= set(table.bosses):
        file.mistake(keys, "names every bot, so no bots are left to be graded")
    return Grading(tuple(dict.fromkeys(table.bosses)), table.by, table.pass_mark)


def _check_names(
    file: TomlText, shape: Shape, keys: Keys, named: Sequence[str], names: Sequence[str]
) -> None:
    """Note every name that no bot of the tournament has; not if the bots themselves have mistakes."""
    if file.has_mistakes(("bots",)):
        return
    for number, name in enumerate(named):
        if name not in names and (*keys, number) not in shape.wrong:
            hint = did_you_mean(name, names) or "; bots are entered with [[bots]]"
            file.mistake((*keys, number), f"there is no bot '{printable(name)}' in this tournament{hint}")
