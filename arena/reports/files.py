"""The files beside the log, for spreadsheets and for people; each can be deleted and is written again.

Every file is written under another name and moved into place, so that a reader never sees half of one, and
two writers of one folder never see each other's halves. After a full disk the old file is still there.
OSError is for the caller, who knows whether the user chose the folder.

CSV files are opened in spreadsheets, and a spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`: a
bot that fails with `=cmd|...` could run a command on the machine of the person who looks up why (CSV
injection). So such text gets an apostrophe before it, and what is not printable is written as escapes. A
script that needs the exact text reads JSON, or the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path

import pandas as pd

from arena.files import write_anew
from arena.reports.text import render

LONGEST_STEM = 200
"""How many characters of a variant's name a file name keeps: file systems allow 255."""


def write_tables(
    folder: Path, tables: Mapping[str, pd.DataFrame], by_variant: pd.DataFrame, markdown: str
) -> None:
    """Write `<name>.csv` for each table, `standings-<variant>.csv`, and standings.md.

    `by_variant` is what `standings_by_variant` returns. Files of variants that are not in it are removed.
    """
    for name, table in tables.items():
        _write_csv(folder / f"{name}.csv", table)
    _write_variants(folder, by_variant)
    with write_anew(folder / "standings.md") as file:
        file.write(markdown if markdown.endswith("\n") else markdown + "\n")


def file_names(variants: Iterable[str]) -> dict[str, str]:
    """Return a file for each variant's standings; if two would share one, the later gets a number.

    Upper and lower case count as equal, because some file systems treat them so.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for variant in dict.fromkeys(variants):
        name = next(name for name in _candidates(variant) if name.lower() not in taken)
        names[variant] = name
        taken.add(name.lower())
    return names


def _candidates(variant: str) -> Iterator[str]:
    stem = re.sub(r"[^A-Za-z0-9_.-]", "_", variant.replace(":", "-"))[:LONGEST_STEM]
    yield f"standings-{stem}.csv"
    for number in count(2):
        yield f"standings-{stem}-{number}.csv"


def _write_variants(folder: Path, by_variant: pd.DataFrame) -> None:
    names = file_names(by_variant["variant"])
    for variant, name in names.items():
        table = by_variant[by_variant["variant"] == variant]
        _write_csv(folder / name, table.drop(columns="variant"))
    for stale in set(folder.glob("standings-*.csv")) - {folder / name for name in names.values()}:
        stale.unlink(missing_ok=True)


def _write_csv(path: Path, table: pd.DataFrame) -> None:
    with write_anew(path) as file:
        file.write(render(table, "csv") + "\n")
