"""What a run folder contains so that it can stand alone: bots with their sources, variants, openings.

Games only name bots and variants; somebody who receives the folder finds here what these were. All of it is
checked on its way out: a bot's files must be those that its hash names, with paths that stay in their folder;
a definition must be one that arena writes; openings must be possible ones.
"""

from __future__ import annotations

import json
from typing import Any

from arena.bots.source import Source, check_files
from arena.errors import IllegalMove, UserError, printable
from arena.field import read_json
from arena.game import Variant
from arena.game.definition import define, read_definition, short
from arena.log.door import wrong
from arena.log.inventory import StoredBot
from arena.log.reading import Log
from arena.log.writing import Store
from arena.referee.row import cells_of, write_cells
from arena.solver.openings import DRAWING, MOST_PLIES, Opening, openings

MOST_WORDS = 1_000
"""The most words of a command."""


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
    """Return a bot as it was when it played; StoreError if it is not in the folder, or is another one."""
    stored = log.stored_bot(name, version)
    source = _source(stored)
    if source is None or source.version != stored.hash or stored.hash[:12] != version:
        raise wrong(log.folder, f"the source of {name} {version} in it is not the one that played")
    return source


def _source(stored: StoredBot) -> Source | None:
    """Return the files of a stored bot; None if a bot cannot have such files."""
    command = read_json(stored.command) if isinstance(stored.command, str) else None
    if not isinstance(command, list) or len(command) > MOST_WORDS or not all(map(_is_word, command)):
        return None
    files: dict[str, bytes] = {}
    for path, data in stored.files:
        if not isinstance(path, str) or not isinstance(data, bytes):
            return None
        files[path] = data
    if stored.main:
        files[stored.main] = _bytes(stored.source)
    if not isinstance(stored.main, str) or bool(stored.main) == bool(command):
        return None
    return (
        None if check_files(files, stored.main) else Source(stored.name, stored.main, files, tuple(command))
    )


def _is_word(word: Any) -> bool:
    return isinstance(word, str) and "\0" not in word


def _bytes(data: object) -> bytes:
    return data.encode() if isinstance(data, str) else bytes(data) if isinstance(data, bytes) else b""


def keep_variant(store: Store, variant: Variant) -> None:
    """Keep a variant's definition."""
    definition = define(variant)
    store.insert("variants", [(variant.name, short(definition), definition)])


def kept_variant(log: Log, name: str, version: str) -> Variant:
    """Return a variant as it was when it was planned."""
    return _variant(log, name, version, log.definition(name, version))


def kept_variants(log: Log, name: str) -> list[Variant]:
    """Return all variants of one name that a folder has had, the newest last."""
    return [_variant(log, *row) for row in log.variants() if row[0] == name]


def _variant(log: Log, name: str, version: str, definition: str) -> Variant:
    try:
        if short(definition) != version:
            raise UserError("it is not the one that its hash names")
        return read_definition(name, definition)
    except UserError as error:
        why = printable(str(error).partition("\n")[0], 200)
        raise wrong(log.folder, f"the definition of {printable(name)} is not arena's: {why}") from None


def keep_openings(store: Store, variant: Variant, seed: int, opened: list[Opening]) -> None:
    """Freeze the openings of a variant: they stay these, whatever a later arena would draw."""
    place = (variant.name, short(define(variant)), seed)
    rows = [(*place, number, write_cells(cells), is_won) for number, (cells, is_won) in enumerate(opened)]
    store.insert("openings", rows)


def frozen_openings(log: Log | None, variant: Variant, seed: int, count: int) -> list[Opening]:
    """Return the openings of a variant: first those that were planned before, then new ones."""
    frozen = kept_openings(log, variant, seed) if log is not None else []
    if len(frozen) < count:
        frozen += _further(variant, seed, count, frozen, log.drawing if log is not None else DRAWING)
    return frozen[:count]


def _further(variant: Variant, seed: int, count: int, frozen: list[Opening], drawing: int) -> list[Opening]:
    """Return the openings after the frozen ones; none of the frozen ones again, whichever rule drew them."""
    drawn = openings(variant, define(variant), seed, count, drawing)
    known = {opening.cells for opening in frozen}
    return [opening for opening in drawn[len(frozen) :] if opening.cells not in known]


def kept_openings(log: Log, variant: Variant, seed: int) -> list[Opening]:
    """Return the openings that were planned for a variant and a seed; StoreError if they are impossible."""
    rows = log.openings(variant.name, short(define(variant)), seed)
    opened = [_opening(variant, row) for row in rows]
    found = [opening for opening in opened if opening is not None]
    numbers = [row[0] for row in rows]
    distinct = {opening.cells for opening in found}
    if len(distinct) != len(rows) or numbers != list(range(len(rows))):
        raise wrong(log.folder, f"the openings of {variant.name} in it are not openings that arena draws")
    return found


def _opening(variant: Variant, row: tuple[Any, ...]) -> Opening | None:
    """Return an opening that can be played and leaves a game to be played; None for anything else."""
    _, text, is_won = row
    try:
        cells = cells_of(text)
        is_right = len(cells) <= MOST_PLIES and text == write_cells(cells) and is_won in (None, 0, 1)
        if not is_right or variant.replay(cells).is_over:
            return None
    except (ValueError, AttributeError, TypeError, IllegalMove):
        return None
    return Opening(cells, None if is_won is None else bool(is_won))
