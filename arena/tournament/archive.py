"""What a run folder holds so that it stands alone: bots with their sources, variants, openings, the runs.

Games name bots and variants; whoever gets the folder from somebody else finds here what these were.
"""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import arena
from arena.errors import StoreError
from arena.game import Variant
from arena.hosts.source import Source
from arena.referee.game import Limits
from arena.solver.openings import Opening, openings
from arena.store import Log, Store, now
from arena.tournament.definition import define, defined, short
from arena.tournament.plan import spaced
from arena.tournament.settings import Grading


class Setting(NamedTuple):
    """How a run is carried out, for the record."""

    config: str
    limits: Limits
    isolation: str
    walls: str
    executor: str
    workers: int


class Field(NamedTuple):
    """What the plan was made from, as the log keeps it."""

    name: str
    variants: list[tuple[str, str]]  # names and versions
    bots: dict[str, str]  # full hashes by name
    openings: int
    repeats: int
    seed: int
    limits: dict[str, float]
    isolation: str
    degenerate: dict[str, str]  # variants that cannot rank anybody, and why
    format: str = "round-robin"
    secret: tuple[str, ...] = ()  # variants that are not shown before the end
    grading: Grading | None = None
    series: str = ""  # of its rounds

    def written(self) -> str:
        """Return the text that the log keeps."""
        return json.dumps(self._asdict())


def read_field(log: Log) -> Field:
    """Return what the plan of a folder was made from; StoreError if nothing was planned there."""
    text = log.fact("field")
    if not text:
        raise StoreError(f"{log.folder}: nothing was planned in it yet")
    parts = json.loads(text)
    grading = Grading(*parts["grading"]) if parts.get("grading") is not None else None
    return Field(**(parts | {"variants": [tuple(pair) for pair in parts["variants"]], "grading": grading}))


def begin_run(store: Store, setting: Setting) -> int:
    """Write down that a run begins, and with what; return its number."""
    row = (
        now(),
        setting.config,
        json.dumps(setting.limits._asdict()),
        arena.__version__,
        sys.version.split()[0],
        _version_of("numpy"),
        f"{platform.system()} {platform.release()} {platform.machine()}",
        setting.isolation,
        setting.walls,
        setting.executor,
        setting.workers,
    )
    with store.transaction() as database:
        found = database.execute(
            "INSERT INTO runs VALUES (NULL, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row
        ).lastrowid
        assert found is not None
        return found


def end_run(store: Store, run: int) -> None:
    """Write down that a run has ended by itself."""
    with store.transaction() as database:
        database.execute("UPDATE runs SET ended_at = ? WHERE run = ?", (now(), run))


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def keep_bot(store: Store, source: Source) -> None:
    """Keep a bot's files; a single readable file as text, so that it can be read in the log itself."""
    full = source.version
    main = source.files.get(source.main, b"")
    row = (source.name, full[:12], full, source.main, json.dumps(source.command), _readable(main), None)
    store.insert("bots", [row])
    store.insert("files", [(full, path, data) for path, data in source.files.items() if path != source.main])


def _readable(data: bytes) -> str | bytes:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    return text if "\0" not in text else data


def kept_bot(log: Log, name: str, version: str) -> Source:
    """Return a bot as it was when it played; StoreError if the folder does not hold it."""
    found = log.rows(
        "SELECT hash, main, command, source FROM bots WHERE name = ? AND version = ?", name, version
    )
    if not found:
        raise StoreError(f"{log.folder}: the source of {name} {version} is not in it")
    full, main, command, text = found[0]
    files = {
        path: bytes(data) for path, data in log.rows("SELECT path, data FROM files WHERE hash = ?", full)
    }
    if main:
        files[main] = text.encode() if isinstance(text, str) else bytes(text)
    return Source(name, main, files, tuple(json.loads(command)))


def mark_repeatable(store: Store, source: Source, is_repeatable: bool) -> None:
    """Write down whether a bot's games can be repeated; one that once could not be never can."""
    with store.transaction() as database:
        database.execute(
            "UPDATE bots SET is_repeatable = MIN(?, COALESCE(is_repeatable, 1)) WHERE name = ? AND hash = ?",
            (is_repeatable, source.name, source.version),
        )


def keep_variant(store: Store, variant: Variant) -> None:
    """Keep a variant's definition."""
    definition = define(variant)
    store.insert("variants", [(variant.name, short(definition), definition)])


def kept_variant(log: Log, name: str, version: str) -> Variant:
    """Return a variant as it was when it was planned."""
    found = log.rows("SELECT definition FROM variants WHERE name = ? AND version = ?", name, version)
    if not found:
        raise StoreError(f"{log.folder}: the definition of {name} is not in it")
    return defined(name, found[0][0])


def kept_variants(log: Log) -> dict[str, list[Variant]]:
    """Return all variants that a folder has had by that name, the newest last."""
    found: dict[str, list[Variant]] = {}
    for name, definition in log.rows("SELECT name, definition FROM variants ORDER BY rowid"):
        found.setdefault(name, []).append(defined(name, definition))
    return found


def keep_openings(store: Store, variant: Variant, seed: int, opened: list[Opening]) -> None:
    """Freeze the openings of a variant: from now on they are these, whatever a later arena would draw."""
    place = (variant.name, short(define(variant)), seed)
    rows = [(*place, number, spaced(cells), is_won) for number, (cells, is_won) in enumerate(opened)]
    store.insert("openings", rows)


def frozen_openings(log: Log | None, variant: Variant, seed: int, count: int) -> list[Opening]:
    """Return the openings of a variant: those that were planned before as they were, then new ones."""
    definition = define(variant)
    frozen = kept_openings(log, variant.name, short(definition), seed) if log is not None else []
    if len(frozen) < count:
        frozen += openings(variant, definition, seed, count)[len(frozen) :]
    return frozen[:count]


def kept_openings(log: Log, name: str, version: str, seed: int) -> list[Opening]:
    """Return the openings that were planned for a variant and a seed."""
    query = (
        "SELECT cells, is_won FROM openings WHERE variant = ? AND version = ? AND seed = ? ORDER BY opening"
    )
    rows = log.rows(query, name, version, seed)
    return [Opening(cells_of(text), None if is_won is None else bool(is_won)) for text, is_won in rows]


def cells_of(text: str) -> tuple[int, ...]:
    """Return cells from the numbers that the log has for them."""
    return tuple(map(int, text.split()))
