"""A tournament file: everything that a run needs, read and checked as a whole.

    shape.py      which keys there are, and which values they may have
    entries.py    the bots that the file enters
    notices.py    what it leaves out, and files that are the same
    settings.py   the settings of its format, and who passes
    written.py    a dict in place of a file
    this file     the text, the variants, and the resulting Tournament

Every mistake is reported at once, in the order of the file. Relative paths start at the folder of the file,
or at the parent of a folder `configs`; never at the working directory, so that a file means the same from
anywhere. The file is read once: what was checked is what is played, even if its author edits it meanwhile.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.source import NAME, Source
from arena.config.entries import Entry, from_here, read_entries
from arena.config.notices import say_identical, say_overlooked, say_without_solver
from arena.config.settings import read_grading, read_settings
from arena.config.shape import PROPER_NAME, Shape, read_shape, replace_values, unknown_value
from arena.config.written import SOURCE, write_toml
from arena.errors import FileMistakes, UnknownVariant, UserError, did_you_mean, printable, require_path
from arena.field import Grading
from arena.formats.meeting import Settings
from arena.game import Variant, variant
from arena.game.catalogue import without_waiting
from arena.referee.game import Limits
from arena.referee.row import ISOLATIONS
from arena.tomltext import Path as Keys
from arena.tomltext import TomlText

UNNAMED = "tournament"
"""The name of a tournament that is a dict without one."""

_LARGEST_FILE = 1 << 20


class Tournament(NamedTuple):
    """A tournament as its file describes it, with defaults for what the file leaves out."""

    name: str
    format: str
    variants: tuple[Variant, ...]  # the secret ones last
    openings: int
    repeats: int
    seed: int
    isolation: str
    limits: Limits
    bots: tuple[Source, ...]  # in the order of the file; those of a glob by name
    paths: dict[str, Path]  # where the files of each Python bot are, by its name
    config: Path | None  # the file itself; None if it was a dict
    text: str  # its content
    results: Path  # the folder of all run folders
    settings: Settings  # of the format
    secret: tuple[str, ...]  # variants that are not shown before the end
    grading: Grading | None
    keep_solver: frozenset[str] = frozenset()  # bots that have the solver in spite of the limits
    fresh: bool = False  # whether every game gets its own processes
    notices: tuple[str, ...] = ()  # what its author may not have meant, a sentence each

    @property
    def title(self) -> str:
        """What a sentence calls the file, or the dict."""
        return self.config.name if self.config is not None else SOURCE

    def limits_of(self, name: str) -> Limits:
        """Return what one bot may use."""
        return self.limits._replace(solver=True) if name in self.keep_solver else self.limits

    def read_again(self) -> Tournament:
        """Return what the file and the bots say now; a dict says what it said."""
        config = self.config if self.config is not None else tomllib.loads(self.text)
        return read_tournament(config, isolation=self.isolation, name=self.name)


Config = str | os.PathLike[str] | Mapping[str, Any]
"""A tournament file, or the same as a dict."""


def read_tournament(
    config: Config,
    *,
    isolation: str | None = None,
    seed: int | None = None,
    name: str | None = None,
    needs_bots: bool = True,
) -> Tournament:
    """Return a tournament; UserError if its file cannot be read, FileMistakes with all mistakes in it.

    `isolation`, `seed` and `name` replace what the file says. A seed without a name is added to the file's
    own name: the same folder with another seed would lose its plan. Relative paths in a dict start at the
    working directory. Unless it `needs_bots`, a file may enter none: others will.
    """
    if isolation is not None and isolation not in ISOLATIONS:
        raise UserError(f"isolation: {unknown_value(isolation, ISOLATIONS)}")
    if isinstance(config, Mapping):
        text = write_toml(config)
        toml = TomlText(text, SOURCE, has_lines=False)
        return _read(text, toml, None, isolation, seed, name, needs_bots)
    shown = require_path(config, "tournament; it is the path of its file, or a dict with the same keys")
    text = _read_text(shown)
    file = TomlText(text, shown)
    return _read(text, file, Path(shown).resolve(), isolation, seed, name, needs_bots)


def _read(
    text: str,
    file: TomlText,
    place: Path | None,
    isolation: str | None,
    seed: int | None,
    name: str | None,
    needs_bots: bool,
) -> Tournament:
    shape = read_shape(file)
    own = name if name is not None else _name(file, shape, place.stem if place is not None else UNNAMED)
    shape = replace_values(shape, typed := _find_typed(own, seed, name))
    table = shape.tables.tournament
    base = base_of(place) if place is not None else Path.cwd()
    chosen = isolation or table.isolation
    foreign: list[str] = []
    variants, secret = _variants(file, shape, base, foreign)
    entries = read_entries(file, shape, base, chosen, needs_bots)
    names = [entry.source.name for entry in entries]
    if table.fresh and chosen == "trusted":
        file.mistake(("tournament", "fresh"), "does not work with trusted bots: they have no processes")
    settings, grading = read_settings(file, shape, names), read_grading(file, shape, names)
    _raise_mistakes(file, foreign)
    return Tournament(
        name=typed.get("name", own),
        format=table.format,
        variants=variants,
        openings=table.openings,
        repeats=table.repeats,
        seed=table.seed,
        isolation=chosen,
        limits=Limits(**shape.tables.limits.model_dump()),
        bots=tuple(entry.source for entry in entries),
        paths={entry.source.name: entry.place for entry in entries if entry.place is not None},
        config=place,
        text=text,
        results=base / "results",
        settings=settings,
        secret=secret,
        grading=grading,
        keep_solver=frozenset(entry.source.name for entry in entries if entry.keeps_solver),
        fresh=table.fresh,
        notices=tuple(_find_notices(shape, entries, base)),
    )


def _find_notices(shape: Shape, entries: list[Entry], base: Path) -> Iterator[str]:
    yield from say_overlooked(shape.tables.bots, entries, base)
    yield from say_identical(entries)
    yield from say_without_solver(entries, shape.tables.limits.solver)


def _read_text(path: str) -> str:
    shown = printable(path, 200)
    try:
        with open(path, "rb", opener=without_waiting) as opened:
            data = opened.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise UserError(f"{shown}: a tournament file may have at most 1 MiB")
        return data.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise UserError(f"{shown}: {error.strerror}{_near_toml(Path(path))}") from None
    except OSError as error:
        raise UserError(f"{shown}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileMistakes([f"{shown}:{line}: not valid TOML: the text is not UTF-8"]) from None
    except ValueError as error:  # a path with a NUL in it
        raise UserError(f"{shown}: {error}") from None


def _near_toml(place: Path) -> str:
    """Return a hint at the file that may be meant: in `configs`, without `.toml`, or by a near name."""
    try:
        for folder in (place.parent, place.parent / "configs"):
            for way in (folder / place.name, folder / f"{place.name}.toml"):
                if way.is_file():
                    return f"; did you mean '{way}'?"
        there = {file.name for file in place.parent.glob("*.toml")}
    except OSError:
        return ""
    return "" if place.name in there else did_you_mean(place.name, sorted(there))


def base_of(place: Path) -> Path:
    """Return the folder where the relative paths of a tournament file start, given its absolute path."""
    return place.parent.parent if place.parent.name == "configs" else place.parent


def _find_typed(own: str, seed: int | None, name: str | None) -> dict[str, Any]:
    """Return the values that replace the file's own: none if none were typed."""
    if seed is None:
        return {} if name is None else {"name": name}
    return {"seed": seed, "name": f"{own}-{seed}" if name is None else name}


def _name(file: TomlText, shape: Shape, stem: str) -> str:
    name = shape.tables.tournament.name
    keys: Keys = ("tournament", "name")
    if name is None and keys not in shape.wrong and not NAME.fullmatch(stem):
        mend = 'rename the file, or give it a name with name = "..."'
        file.mistake(keys, f"'{printable(stem)}' {PROPER_NAME}; {mend}")
    return name or stem


def _variants(
    file: TomlText, shape: Shape, base: Path, foreign: list[str]
) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """Return the variants and which are secret; mistakes in their own files are added to `foreign`."""
    found: dict[str, Variant] = {}
    places: dict[str, Keys] = {}
    tables = shape.tables
    shown: list[tuple[Keys, str]] = [
        (("tournament", "variants", number), typed) for number, typed in enumerate(tables.tournament.variants)
    ]
    secret: list[tuple[Keys, str]] = [
        (("field", "secret", number), typed) for number, typed in enumerate(tables.field.secret or ())
    ]
    for keys, typed in shown + secret:
        read = None if keys in shape.wrong else _variant(file, keys, typed, base, foreign)
        if read is None:
            continue
        if read.name in found:
            there = "{1}[{2}]".format(*places[read.name])
            file.mistake(keys, f"'{printable(read.name)}' is listed already, as {there}")
        found.setdefault(read.name, read)
        places.setdefault(read.name, keys)
    hidden = tuple(name for name, keys in places.items() if keys[0] == "field")
    return tuple(found.values()), hidden


def _variant(file: TomlText, keys: Keys, typed: str, base: Path, foreign: list[str]) -> Variant | None:
    is_file = typed.endswith(".toml") or "/" in typed
    place = base / typed
    try:
        return variant(from_here(place) if is_file else typed)
    except UnknownVariant as error:
        file.mistake(keys, str(error))
    except FileMistakes as error:
        foreign.extend(error.mistakes)
    except UserError as error:  # its file cannot be read
        file.mistake(keys, f"{error}{_near_toml(place)}")
    return None


def _raise_mistakes(file: TomlText, foreign: list[str]) -> None:
    """Raise FileMistakes with the mistakes of this file, then with those of the files it names."""
    try:
        file.raise_mistakes()
    except FileMistakes as own:
        raise FileMistakes([*own.mistakes, *dict.fromkeys(foreign)]) from None
    if foreign:
        raise FileMistakes(dict.fromkeys(foreign))
