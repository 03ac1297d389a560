"""A bot as files: its name, its version, and the bytes that are copied to where it runs.

Nothing here compiles, imports or parses what a bot consists of: it is read, hashed and copied.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import NamedTuple

from arena.errors import BotFileError, printable

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
MOST_BYTES = 16 * 1024 * 1024
_IGNORED = {"__pycache__", ".git", ".DS_Store"}


class Source(NamedTuple):
    """A bot's files by their paths within its folder; `main` is the one that is run.

    A bot in another language has a command instead of a `main`; its words that name files name them here.
    """

    name: str
    main: str
    files: dict[str, bytes]
    command: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        """The full hash of all files, with their names, in hex."""
        digest = hashlib.sha256("".join(f"{word}\0" for word in self.command).encode())
        for path in sorted(self.files):
            shown = "bot.py" if path == self.main else path  # a bot renamed is the same bot
            digest.update(f"{shown}\0{len(self.files[path])}\0".encode())
            digest.update(self.files[path])
        return digest.hexdigest()

    def write(self, folder: str | os.PathLike[str]) -> str:
        """Write all files into a folder and return the path of the main one."""
        for path, data in self.files.items():
            target = os.path.join(folder, path)
            if "/" in path:
                os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)
                os.fchmod(file.fileno(), 0o755 if self.command else 0o644)
        return os.path.join(folder, self.main)


def read_source(path: str | os.PathLike[str], name: str | None = None) -> Source:
    """Return a bot's files: a Python file, or a folder with `bot.py`. BotFileError says what is wrong."""
    place = Path(path)
    shown = printable(str(path), 200)
    if place.is_symlink():
        raise BotFileError(f"{shown}: is a symbolic link; give the file itself")
    if not place.exists():
        raise BotFileError(f"{shown}: there is no such file or folder")
    chosen = name if name is not None else place.name.removesuffix(".py")
    if not NAME.fullmatch(chosen):
        raise BotFileError(
            f"{shown}: a bot's name has at most 64 letters, digits, '_', '.' or '-', the first no mark"
        )
    if place.is_dir():
        return Source(chosen, "bot.py", _folder(place, shown))
    if not place.is_file():
        raise BotFileError(f"{shown}: is neither a file nor a folder")
    if place.suffix != ".py":
        raise BotFileError(f"{shown}: a bot is a Python file, `{place.stem}.py`, or a folder with `bot.py`")
    return Source(chosen, place.name, {place.name: _read(place, shown, MOST_BYTES)})


def read_command(command: list[str], name: str, base: str | os.PathLike[str]) -> Source:
    """Return a bot in another language: its command, and every file below `base` that the command names."""
    shown = printable(" ".join(command), 200)
    if not NAME.fullmatch(name):
        raise BotFileError(f"{shown}: '{printable(name)}' is no name for a bot")
    files: dict[str, bytes] = {}
    for word in command:
        place = Path(base, word)
        if not Path(word).is_absolute() and ".." not in Path(word).parts and os.path.isfile(place):
            files[Path(word).as_posix()] = _read(place, shown, MOST_BYTES)
    return Source(name, "", files, tuple(command))


def _folder(place: Path, shown: str) -> dict[str, bytes]:
    if not (place / "bot.py").is_file():
        raise BotFileError(f"{shown}: is a folder without `bot.py`")
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    for file in sorted(place.rglob("*")):
        inside = file.relative_to(place)
        if _IGNORED & set(inside.parts) or file.is_dir():
            continue
        if not str(inside).isprintable() or not str(inside).isascii():
            raise BotFileError(f"{shown}: '{printable(str(inside))}' must be named with plain letters")
        if file.is_symlink() or not file.is_file():
            raise BotFileError(f"{shown}: {printable(str(inside), 200)} is not a plain file")
        files[inside.as_posix()] = _read(file, shown, left)
        left -= len(files[inside.as_posix()])
    return files


def _read(file: Path, shown: str, most: int) -> bytes:
    try:
        with open(file, "rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise BotFileError(f"{shown}: {error.strerror}") from None
    if len(data) > most:
        raise BotFileError(f"{shown}: has more than 16 MiB")
    return data


def check_files(files: dict[str, bytes], main: str) -> str | None:
    """Return what is wrong with a bot's files by path, or None."""
    for path in files:
        parts = path.split("/")
        if (
            not path
            or any(part in ("", ".", "..") for part in parts)
            or not path.isprintable()
            or not path.isascii()
        ):
            return f"'{printable(path)}' is no path within a folder"
    return None if not main or main in files else "the main file is missing"
