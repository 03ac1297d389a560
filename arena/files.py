"""Writing files: never half of one, and never through a link that somebody has put there.

A file is written under a name that nobody can guess and then moved into place, which replaces a link instead
of following it. A folder is used only if it is a real one: if `faults/` in a received folder were a link to
the user's home, we would write there. OSError is for the caller, who knows who chose the folder.
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
def write_anew(path: Path, is_private: bool = False) -> Iterator[TextIO]:
    """Give a text file to write to, and move it to its place when it is whole.

    If it is private, nobody but its owner can read it, from its first byte on.
    """
    half = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        # A lone surrogate in somebody's text must not cost the whole file.
        with half.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
            if is_private:
                half.chmod(0o600)
            yield file
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder unless it is there; NotADirectoryError if a link or a file is in its place."""
    try:
        path.mkdir()
    except FileExistsError:
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise NotADirectoryError(20, "is a link or a file where a folder should be", str(path)) from None


def is_plain_file(path: Path) -> bool:
    """Whether this is a plain file: not a link, a pipe or a folder."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False
