"""What a tournament file says to its format, and who passes: keys that name bots or suit one format only."""

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
    """Return what the format is told, after noting what is wrong with it."""
    table = shape.tables.tournament
    is_known = ("tournament", "format") not in shape.wrong  # else who knows what was meant
    for key, suits in _ONLY_FOR.items():
        if is_known and getattr(table, key) is not None and table.format != suits:
            file.mistake(("tournament", key), f'is for format = "{suits}", and this one is "{table.format}"')
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
            message = 'which bots run it? name them with gauntlet = ["..."]'
            file.mistake(("tournament", "format"), message)
        return
    _check_names(file, shape, keys, named, names)
    if names and set(names) <= set(named):
        file.mistake(keys, "names every bot, so that nobody is left to be met")


def read_grading(file: TomlText, shape: Shape, names: Sequence[str]) -> Grading | None:
    """Return who passes, after noting what is wrong with it; None if nobody is graded."""
    table = shape.tables.grading
    if table is None:
        return None
    keys: Keys = ("grading", "bosses")
    if table.bosses is None:
        if keys not in shape.wrong:
            file.mistake(("grading",), 'against whom? name some bots with bosses = ["..."]')
        return None
    _check_names(file, shape, keys, table.bosses, names)
    if names and set(names) <= set(table.bosses):
        file.mistake(keys, "names every bot, so that nobody is left to be graded")
    return Grading(tuple(dict.fromkeys(table.bosses)), table.by, table.pass_mark)


def _check_names(
    file: TomlText, shape: Shape, keys: Keys, named: Sequence[str], names: Sequence[str]
) -> None:
    """Note every name that no bot of the tournament has; if bots are wrong, names may be right."""
    if file.has_mistakes(("bots",)):
        return
    for number, name in enumerate(named):
        if name not in names and (*keys, number) not in shape.wrong:
            hint = did_you_mean(name, names) or "; [[bots]] enters them"
            file.mistake((*keys, number), f"there is no bot '{printable(name)}' in this tournament{hint}")
