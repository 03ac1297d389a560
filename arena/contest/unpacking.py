"""What somebody has sent becomes a bot's files: a Python file, or a zip of a folder with `bot.py` in it.

Whoever sends it may mean harm. Nothing is compiled, parsed or written to disk. What a zip says about itself
is believed only where it makes us refuse: its bytes are counted as they come out, its entries before they
are read. Entries that lie over each other, as in a zip bomb, are refused: all together they are longer than
the file. A Python file is called `bot.py` here, so that nothing of the name under which it was sent is kept.

Refused: unpacking with `ZipFile.extractall`, which follows what the headers say; and other kinds of archives.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from typing import IO

from arena.bots.source import IGNORED, MOST_BYTES, MOST_FILES, MOST_PATH, Source, check_files
from arena.checking.hints import NOTEBOOK
from arena.errors import BotFileError, printable

MAIN = "bot.py"
MOST_ENTRIES = 10 * MOST_FILES
"""Of a zip, with those that are passed over, such as all that git keeps."""

_PASSED_OVER = IGNORED | {"__MACOSX"}
_ENTRY = b"PK\x01\x02"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_CHUNK = 1 << 16
_TOP = 100  # characters, for the name of the folder that is in the zip
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What `zipfile` raises about a file that is no whole zip."""

_TAKEN = "a bot is a Python file, such as `my_bot.py`, or a zip of a folder with `bot.py` in it"
_TOO_LARGE = f"has more than {MOST_BYTES >> 20} MiB unpacked"
_TOO_MANY = f"has more than {MOST_FILES:,} files and folders"


def unpack(file: IO[bytes], filename: str, name: str) -> Source:
    """Return the bot that was sent under the name of a file; BotFileError says why it is not taken."""
    shown = printable(filename, 100)
    if not filename:
        raise BotFileError(f"no file was chosen; {_TAKEN}")
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BotFileError(f"{shown}: has more than {MOST_BYTES >> 20} MiB")
    is_zip = data.startswith(_ZIP)
    if filename.lower().endswith(".zip"):
        if not is_zip:
            raise BotFileError(f"{shown}: is not a zip file, or a damaged one; {_TAKEN}")
        files = _unzip(file, data, shown)
    elif filename.lower().endswith(".py"):
        files = {MAIN: data}
    elif filename.lower().endswith(".ipynb"):
        raise BotFileError(f"{shown}: {NOTEBOOK}")
    else:
        raise BotFileError(f"{shown}: {_TAKEN}{', called .zip' * is_zip}")
    if not data:
        raise BotFileError(f"{shown}: is empty")
    if wrong := check_files(files, MAIN):
        raise BotFileError(f"{shown}: {wrong}")
    return Source(name, MAIN, files)


def _unzip(file: IO[bytes], data: bytes, shown: str) -> dict[str, bytes]:
    if data.count(_ENTRY) > MOST_ENTRIES:  # before a list of them is made
        raise BotFileError(f"{shown}: {_TOO_MANY}")
    try:
        with zipfile.ZipFile(file) as archive:
            wanted = _choose(archive.infolist(), len(data), shown)
            files = _inflate(archive, wanted, shown)
    except _BROKEN:
        raise BotFileError(f"{shown}: is a damaged zip file; make it anew") from None
    return _without_top_folder(files, shown)


def _choose(entries: list[zipfile.ZipInfo], size: int, shown: str) -> list[zipfile.ZipInfo]:
    """Return the files to read, without those that are passed over; BotFileError if an entry is not plain."""
    for entry in entries:
        if wrong := _wrong_with(entry):
            raise BotFileError(f"{shown}: '{printable(entry.orig_filename, 100)}' {wrong}")
    if sum(entry.compress_size for entry in entries) > size:
        raise BotFileError(f"{shown}: its entries lie over each other, as in a zip bomb")
    own = [entry for entry in entries if _PASSED_OVER.isdisjoint(entry.filename.split("/"))]
    if len(own) > MOST_FILES:
        raise BotFileError(f"{shown}: {_TOO_MANY}")
    if wrong := _find_twins([entry.filename for entry in own]):
        raise BotFileError(f"{shown}: {wrong}")
    return [entry for entry in own if not entry.is_dir()]


def _wrong_with(entry: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    name = entry.orig_filename
    if "\\" in name and _is_inside(name.replace("\\", "/")):
        return "was packed by a tool that writes Windows paths; pack it with another one"
    # Newer Pythons take the name from another place of the zip, if it has one there.
    if not all(map(_is_inside, (name, entry.filename))):
        return "is not a path inside the bot's folder"
    if len(name) > MOST_PATH + _TOP:
        return f"must have a name of at most {MOST_PATH} characters"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or (kind == stat.S_IFDIR) > entry.is_dir():
        return "is a link or not a plain file; give the file itself"
    if entry.flag_bits & 0x2041:
        return "is encrypted; make the zip without a password"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in an unusual way; make an ordinary zip"
    return None


def _is_inside(name: str) -> bool:
    is_elsewhere = name.startswith("/") or ".." in name.split("/") or name[1:2] == ":"
    return bool(name) and not (is_elsewhere or "\\" in name or "\0" in name)


def _find_twins(paths: list[str]) -> str | None:
    """Return which paths are one and the same on some disks; None if there are none."""
    seen, spelt = set[str](), dict[str, str]()
    for path in paths:
        if path in seen:
            return f"'{printable(path, 100)}' is in it twice"
        seen.add(path)
        parts = path.rstrip("/").split("/")
        for part in ("/".join(parts[:count]) for count in range(1, len(parts) + 1)):
            if spelt.setdefault(part.lower(), part) != part:
                both = f"'{printable(spelt[part.lower()], 100)}' and '{printable(part, 100)}'"
                return f"{both} differ only in small and capital letters"
    return None


def _inflate(archive: zipfile.ZipFile, wanted: list[zipfile.ZipInfo], shown: str) -> dict[str, bytes]:
    """Return the files of a zip; BotFileError as soon as more comes out than a bot may have."""
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in wanted:
        pieces = []
        with archive.open(entry) as packed:
            while piece := packed.read(_CHUNK):
                left -= len(piece)
                if left < 0:
                    raise BotFileError(f"{shown}: {_TOO_LARGE}")
                pieces.append(piece)
        files[entry.filename] = b"".join(pieces)
    return files


def _without_top_folder(files: dict[str, bytes], shown: str) -> dict[str, bytes]:
    """Return the files as they lie in the folder that has `bot.py`: the zip's own, or its only one."""
    tops = {path.partition("/")[0] for path in files}
    if MAIN not in files and len(tops) == 1:
        top = f"{tops.pop()}/"
        if f"{top}{MAIN}" in files:
            return {path.removeprefix(top): data for path, data in files.items()}
    if MAIN not in files:
        folders = sorted(path.removesuffix(f"/{MAIN}") for path in files if path.endswith(f"/{MAIN}"))
        if len(folders) > 1:
            raise BotFileError(f"{shown}: {_say_several(folders)}")
        raise BotFileError(f"{shown}: has no `bot.py`, neither in it nor in its only folder; {_TAKEN}")
    return files


def _say_several(folders: list[str]) -> str:
    one, other = (f"'{printable(folder, 100)}'" for folder in folders[:2])
    which = f"{'such as ' * (len(folders) > 2)}{one} and {other}"
    return f"has a `{MAIN}` in {len(folders)} folders, {which}; make a zip of one of them"
