"""Evidence for forfeits: what an author needs to see what happened, and to make it happen again.

`faults/<game>/` has four files: the position in the rule book's look, the request as a bot in another
language would have got it, what the bot printed, and its traceback cut to its own frames. Only the first ten
of a kind are kept: enough to fix a bot, and a limit to what a bot that always fails can write.

What happened on a secret variant is one file until the end, `faults/<game>.sealed`, in which nobody reads by
mistake which variant it is. Whoever means to learn it finds it in the log.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from arena.files import is_plain_file, make_folder, write_anew
from arena.game import Position, Variant
from arena.hosts.command import move_message
from arena.referee.game import GameRecord, Limits

_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)

_FILES = {"what-happened.txt", "request.json", "printed.txt", "traceback.txt"}

SEALED = ".sealed"
MOST_BYTES = 1 << 20
"""The most that is read of a sealed file; what a bot printed has 64 KiB."""

MOST_OF_A_KIND = 10
"""Forfeits kept for each bot, variant and ending."""


def evidence(record: GameRecord, variant: Variant, limits: Limits, run: str) -> dict[str, str]:
    """Return the files about a forfeit by name."""
    position = variant.replay(record.moves)
    spent = record.first_cpu_seconds if position.to_move == 0 else record.second_cpu_seconds
    request = move_message("0" * 16, position, limits.move_seconds, limits.game_seconds - spent)
    return {
        "what-happened.txt": _summary(record, position, run),
        "request.json": json.dumps(request) + "\n",
        "printed.txt": record.printed,
        "traceback.txt": record.evidence,
    }


def _summary(record: GameRecord, position: Position, run: str) -> str:
    moves = ", ".join(map(position.name, record.moves)) or "none"
    return (
        f"{record.loser} lost game {record.game} on {record.variant} by {record.ending}.\n\n"
        f"{record.detail}\n\n"
        f"first {record.first}, second {record.second}; moves: {moves}\n\n{position}\n\n"
        f"To see it again: arena rerun {run} {record.game}\n"
    )


class Faults:
    """The folder `faults/` of a run; counts what is there, so that later runs keep the limit."""

    def __init__(self, run: Path, kept: Counter[tuple[str, str, str]], secret: Collection[str] = ()) -> None:
        self.run = run
        self._folder = run / "faults"
        self._kept = kept
        self._secret = secret

    def is_wanted(self, record: GameRecord) -> bool:
        """Whether there are fewer of its kind than are kept."""
        return self._kept[_kind(record)] < MOST_OF_A_KIND

    def keep(self, record: GameRecord, files: dict[str, str]) -> None:
        """Write the files about a forfeit; sealed if the variant is secret."""
        assert _ID.fullmatch(record.game), "the id is used as a folder's name"
        self._kept[_kind(record)] += 1
        make_folder(self._folder)
        place = self._folder / record.game
        if record.variant in self._secret:
            with write_anew(place.with_suffix(SEALED)) as file:
                file.write(base64.b64encode(zlib.compress(json.dumps(files).encode())).decode())
        else:
            _write(place, files)


def open_seals(folder: Path) -> None:
    """Write out what was sealed in `faults/`; a file that arena has not sealed so is removed."""
    if folder.is_symlink():
        return
    for sealed in list(folder.glob(f"*{SEALED}")):
        if not _ID.fullmatch(sealed.stem) or not is_plain_file(sealed):
            continue
        if files := _read_sealed(sealed):
            _write(sealed.with_suffix(""), files)
        sealed.unlink()


def _read_sealed(sealed: Path) -> dict[str, str]:
    """Return the files about a forfeit by name; none if they are not as arena writes them."""
    try:
        with sealed.open("rb") as file:
            packed = base64.b64decode(file.read(MOST_BYTES), validate=True)
        found = json.loads(zlib.decompressobj().decompress(packed, MOST_BYTES))
    except (ValueError, zlib.error, RecursionError):
        return {}
    is_right = isinstance(found, dict) and all(isinstance(text, str) for text in found.values())
    return found if is_right and found.keys() == _FILES else {}


def _write(place: Path, files: dict[str, str]) -> None:
    make_folder(place)
    for name, text in files.items():
        with write_anew(place / name) as file:
            file.write(text)


def _kind(record: GameRecord) -> tuple[str, str, str]:
    return record.loser, record.variant, str(record.ending)
