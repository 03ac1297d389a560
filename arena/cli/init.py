"""`arena init`: a starter folder with bots, tournament files and a place for results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.errors import UserError
from arena.plaintext import for_terminal


def init(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where; here if left out.")] = Path(),
) -> None:
    """Write a starter folder: bots/, configs/ and results/. What is there already stays as it is."""
    from arena.hosts.library import starter_folder

    bots = starter_folder()
    try:
        made = _copied(bots, folder / "bots", "*.py") + _copied(
            bots.parent / "configs", folder / "configs", "*.toml"
        )
        (folder / "results").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror}") from None
    config = folder / "configs" / "round_robin.toml"
    print(for_terminal(f"wrote {made} files to {folder}/; now: arena run {config}"))


def _copied(source: Path, target: Path, pattern: str) -> int:
    """Copy files that are not there yet; return how many."""
    target.mkdir(parents=True, exist_ok=True)
    fresh = [file for file in sorted(source.glob(pattern)) if not (target / file.name).exists()]
    for file in fresh:
        (target / file.name).write_bytes(file.read_bytes())
    return len(fresh)
