"""`arena init`: a starter folder with bots, tournament files and a place for results.

The tournament files get a seed that nobody knows. Everything random in a tournament follows from its seed: a
bot that knows it can predict another bot's random numbers, and the openings.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.errors import UserError
from arena.plaintext import for_terminal


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder; by default the current one.")
    ] = Path(),
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Write a starter folder: bots/, configs/ and results/. Existing files are kept."""
    from arena.bots.starters import sample_configs, starter_bots

    try:
        made = _copy_missing(starter_bots().values(), folder / "bots")
        seeded = _copy_missing(sample_configs(), folder / "configs")
        for file in seeded:
            file.write_text(with_secret_seed(file.read_text(encoding="utf-8")), encoding="utf-8")
        (folder / "results").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror}") from None
    if format is PlainFormat.JSON:
        print_json({"folder": folder, "files": [*made, *seeded]})
        return
    count, config = len(made) + len(seeded), folder / "configs" / "round_robin.toml"
    print(for_terminal(f"wrote {count} files to {folder}/; now: arena run {config}"))
    if seeded:
        print("keep the seeds in configs/ secret: anyone who knows them can predict what is random")


def with_secret_seed(text: str) -> str:
    """Return a tournament file with a seed of 53 random bits, which replaces its own if it has one."""
    line = f"seed = {secrets.randbits(53)}  # secret: anyone who knows it can predict what is random"
    without = re.sub(r"^seed = .*\n", "", text, flags=re.MULTILINE)
    return without.replace("[tournament]\n", f"[tournament]\n{line}\n", 1)


def _copy_missing(sources: Iterable[Path], target: Path) -> list[Path]:
    """Copy files that are not there yet; return them."""
    target.mkdir(parents=True, exist_ok=True)
    fresh = [file for file in sources if not (target / file.name).exists()]
    for file in fresh:
        (target / file.name).write_bytes(file.read_bytes())
    return [target / file.name for file in fresh]
