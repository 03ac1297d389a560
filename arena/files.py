"""Writing files: never half of one, and never through a link that somebody has laid.

A file is written under a name that nobody can guess and moved into its place, which replaces a link instead
of following it. A folder is made or used only if it is one itself: whoever received `faults/` as a link to
their own home would otherwise write there. OSError is the caller's, who knows whose choice the folder was.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def write_anew(path: Path) -> Iterator[TextIO]:
    """Give a text file to write to, and move it to its place when it is whole."""
    half = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        # A lone surrogate in somebody's text must not cost the whole file.
        with half.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Have a folder that is no link; NotADirectoryError if something else is in its place."""
    try:
        path.mkdir()
    except FileExistsError:
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise NotADirectoryError(20, "is a link or a file where a folder should be", str(path)) from None


def is_plain_file(path: Path) -> bool:
    """Whether there is a file by that very name: no link, no pipe, no folder."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False
