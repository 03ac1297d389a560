"""A bot as files: its name, its version, and the bytes that are copied to where it runs.

Nothing here compiles, imports or parses a bot's files: they are read, hashed and copied. No link is followed,
and everything that is read or written has a limit: a stranger's folder must not cost us seconds or memory.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from arena.bots.naming import NAME as NAME
from arena.bots.naming import own_name, refuse_name
from arena.errors import BotFileError, printable

MOST_BYTES = 16 * 1024 * 1024
MOST_FILES = 1000
"""The most files and folders of a bot, counted together; every start copies them."""

MOST_DEPTH = 16
MOST_PATH = 200
_PLAIN = re.compile(rf"[ -\[\]-~]{{1,{MOST_PATH}}}", re.ASCII)
_TOO_MANY = f"has more than {MOST_FILES:,} files and folders"
_TOO_LARGE = "has more than 16 MiB"
_NO_LINKS = "give the file itself"
IGNORED = {"__pycache__", ".git", ".DS_Store"}


class Source(NamedTuple):
    """A bot's files by their paths within its folder; `main` is the one that is run.

    A bot in another language has a command instead of a `main`; `files` then holds the files that it names.
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
            shown = "bot.py" if path == self.main else path  # a renamed bot is the same bot
            digest.update(f"{shown}\0{len(self.files[path])}\0".encode())
            digest.update(self.files[path])
        return digest.hexdigest()

    def write(self, folder: str | os.PathLike[str]) -> str:
        """Write all files into a folder, after checking them, and return the path of the main one."""
        if wrong := check_files(self.files, self.main):
            raise BotFileError(f"{printable(self.name)}: {wrong}")
        for path, data in self.files.items():
            target = os.path.join(folder, path)
            if "/" in path:
                os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)
                os.fchmod(file.fileno(), 0o755 if self.command else 0o644)
        return os.path.join(folder, self.main)

    def without_folder(self, folder: str) -> Source:
        """Return it with its files as they lie inside a folder, whose path ends in `/`."""
        return self._replace(files={path.removeprefix(folder): data for path, data in self.files.items()})


def read_source(path: str | os.PathLike[str], name: str | None = None) -> Source:
    """Return a bot's files: a Python file, or a folder with `bot.py`. BotFileError says what is wrong."""
    shown = printable(str(path), 200)
    try:
        return _read_source(Path(path), shown, name)
    except OSError as error:  # such as a name that is too long, or a folder that we may not enter
        raise BotFileError(f"{shown}: cannot be read: {error.strerror}") from None


def _read_source(place: Path, shown: str, name: str | None) -> Source:
    if place.is_symlink():
        raise BotFileError(f"{shown}: is a symbolic link; give the file itself")
    if not place.exists():
        raise BotFileError(f"{shown}: there is no such file or folder")
    chosen = name if name is not None else own_name(place)
    if not NAME.fullmatch(chosen):
        raise BotFileError(f"{shown}: {refuse_name(chosen)}")
    if place.is_dir():
        return Source(chosen, "bot.py", _folder(place, shown))
    if not place.is_file():
        raise BotFileError(f"{shown}: is neither a file nor a folder")
    if place.suffix != ".py":
        stem = printable(place.stem)
        raise BotFileError(f"{shown}: a bot is a Python file, `{stem}.py`, or a folder with `bot.py`")
    main = place.name if _PLAIN.fullmatch(place.name) else "bot.py"  # it was given another name
    return Source(chosen, main, _read_all({main: place}, main, shown))


def read_command(command: list[str], name: str, base: str | os.PathLike[str]) -> Source:
    """Return a bot in another language: its command, and every file below `base` that the command names."""
    shown = printable(" ".join(command), 200)
    if not NAME.fullmatch(name):
        raise BotFileError(f"{shown}: {refuse_name(name)}")
    if not all(map(_is_text, command)):
        raise BotFileError(f"{shown}: a command must be text, without NUL")
    words = [Path(word) for word in command]
    own = [word for word in words if not word.is_absolute() and ".." not in word.parts]
    found = {word.as_posix(): _plain_file(Path(base), word, shown) for word in own}
    return Source(
        name, "", _read_all({path: file for path, file in found.items() if file}, "", shown), tuple(command)
    )


def check_files(files: Mapping[str, bytes], main: str) -> str | None:
    """Return what is wrong with a bot's files, given by path, or None; `main`, unless empty, must be there.

    Paths come from strangers, in folders and in logs, and are written to our disk. So they are checked on the
    way in and on the way out: each path must be plain and inside the bot's folder, the files few and small.
    """
    folders = {folder for path in islice(files, MOST_FILES) for folder in _folders_of(path)}
    if len(files) + len(folders) > MOST_FILES:
        return _TOO_MANY
    if sum(map(len, files.values())) > MOST_BYTES:
        return _TOO_LARGE
    for path in files:
        wrong = _wrong_with(path) or (_passed_over(path) if main else None)
        if wrong or path in folders:
            return f"'{printable(path, 200)}' {wrong or 'is a file and a folder at once'}"
    return f"has no file '{printable(main, 200)}'" if main and main not in files else None


def _wrong_with(path: str) -> str | None:
    parts = path.split("/")
    if not _PLAIN.fullmatch(path):
        return f"must have a name of at most {MOST_PATH} ASCII characters, without a backslash"
    if len(parts) - 1 > MOST_DEPTH:
        return f"is more than {MOST_DEPTH} folders deep"
    if not {"", ".", ".."}.isdisjoint(parts):
        return "is not a path inside the bot's folder"
    return None


def _passed_over(path: str) -> str | None:
    """Return what is wrong with a path that we ignore when we read a bot, such as compiled code."""
    return None if IGNORED.isdisjoint(path.split("/")) else "is a file that arena never takes from a bot"


def _is_text(word: str) -> bool:
    try:
        return b"\0" not in word.encode()
    except UnicodeEncodeError:  # bytes that are not UTF-8
        return False


def _folders_of(path: str) -> list[str]:
    """Return the folders above a path, up to the bot's own; at most one more than is allowed."""
    parts = path.split("/", MOST_DEPTH + 1)
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _folder(place: Path, shown: str) -> dict[str, bytes]:
    if not (place / "bot.py").is_file():
        raise BotFileError(f"{shown}: is a folder without `bot.py`")
    return _read_all(dict(sorted(_walk(place, shown))), "bot.py", shown)


def _walk(place: Path, shown: str) -> Iterator[tuple[str, Path]]:
    """Yield a folder's files with their paths inside it; follows no link, and stops at the limits."""
    seen, waiting = 0, [""]
    while waiting:
        inside = waiting.pop()
        with os.scandir(place / inside) as entries:
            for entry in entries:
                if entry.name in IGNORED:
                    continue
                seen += 1
                path = f"{inside}{entry.name}"
                if seen > MOST_FILES:
                    raise BotFileError(f"{shown}: {_TOO_MANY}")
                if wrong := _wrong_with(path):
                    raise BotFileError(f"{shown}: '{printable(path, 200)}' {wrong}")
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{path}/")
                elif entry.is_file(follow_symlinks=False):
                    yield path, Path(entry.path)
                else:
                    raise BotFileError(f"{shown}: {path} is a link or not a plain file; {_NO_LINKS}")


def _plain_file(base: Path, word: Path, shown: str) -> Path | None:
    """Return the file that a word of a command names, or None; BotFileError if its path has a link in it."""
    place = base / word
    if not word.parts or not os.path.isfile(place):
        return None
    if any(os.path.islink(base / link) for link in (word, *word.parents)[:-1]):
        raise BotFileError(
            f"{shown}: {printable(str(word), 200)} is a link, or has a link in its path; {_NO_LINKS}"
        )
    return place


def _read_all(places: Mapping[str, Path], main: str, shown: str) -> dict[str, bytes]:
    """Return the files of a bot; BotFileError if they cannot be read, or are not allowed."""
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    for path, place in places.items():
        files[path] = _read(place, shown, left)
        left -= len(files[path])
    if wrong := check_files(files, main):
        raise BotFileError(f"{shown}: {wrong}")
    return files


def _read(file: Path, shown: str, most: int) -> bytes:
    try:
        # Since the check, somebody may have put a link there, or a pipe that nobody writes to.
        with open(file, "rb", opener=_open_plain) as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise BotFileError(f"{shown}: {error.strerror}") from None
    if len(data) > most:
        raise BotFileError(f"{shown}: {_TOO_LARGE}")
    return data


def _open_plain(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
