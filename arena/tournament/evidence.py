"""Evidence for forfeits: what an author needs to see what happened, and to make it happen again.

`faults/<game>/` has four files: the position in the rule book's look, the request as a bot in another
language would have got it, what the bot printed, and its traceback cut to its own frames. Only the first ten
of a kind are kept: enough to fix a bot, and a limit to what a bot that always fails can write.

An edited bot has ten of its own. Where there are ten already, they take the places of those of its older
versions, one by one. So a bot of a thousand versions takes no more room than any other, and what is not in
the way stays. Refused: to remove what has left the plan. A bot that was left out, or withdrawn, comes back
with games that are not played again.

What is in the folder counts, and not what is in the log: a game that was committed just before a kill has no
evidence.

What happened on a secret variant is one file until the end, `faults/<game>.sealed`, in which nobody reads by
mistake which variant it is. Whoever means to learn it finds it in the log.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from arena.files import is_plain_file, make_folder, write_anew
from arena.game import Position, Variant
from arena.hosts.command import move_message
from arena.referee.game import GameRecord, Limits
from arena.referee.row import GameRow

_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)

_FILES = {"what-happened.txt", "request.json", "printed.txt", "traceback.txt"}

SEALED = ".sealed"
MOST_BYTES = 1 << 20
"""The most that is read of a sealed file; what a bot printed has 64 KiB."""

MOST_OF_A_KIND = 10
"""Forfeits kept for each bot, variant and ending, of all versions of the bot together."""


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
    first, second = record.first_version[:12], record.second_version[:12]
    return (
        f"{record.loser} lost game {record.game} on {record.variant} by {record.ending}.\n\n"
        f"{record.detail}\n\n"
        f"first {record.first} {first}, second {record.second} {second}; moves: {moves}\n\n{position}\n\n"
        f"To see it again: arena rerun {run} {record.game}\n"
    )


class Faults:
    """The folder `faults/` of a run; `kept` are the forfeits that have evidence in it, the oldest first."""

    def __init__(self, run: Path, kept: Iterable[GameRow] = (), secret: Collection[str] = ()) -> None:
        self.run = run
        self._folder = run / "faults"
        self._kept: defaultdict[tuple[str, str, str], list[tuple[str, str]]] = defaultdict(list)
        self._secret = secret
        for game in kept:
            self._kept[_kind(game)].append((_version(game), game.game))

    def is_wanted(self, record: GameRecord) -> bool:
        """Whether there are fewer of its kind, by the same version of the bot, than are kept."""
        own = [version for version, _ in self._kept[_kind(record)] if version == _version(record)]
        return len(own) < MOST_OF_A_KIND

    def keep(self, record: GameRecord, files: dict[str, str]) -> None:
        """Write the files about a forfeit; sealed if the variant is secret."""
        assert _ID.fullmatch(record.game), "the id is used as a folder's name"
        self._make_room(record)
        self._kept[_kind(record)].append((_version(record), record.game))
        make_folder(self._folder)
        place = self._folder / record.game
        if record.variant in self._secret:
            with write_anew(place.with_suffix(SEALED)) as file:
                file.write(base64.b64encode(zlib.compress(json.dumps(files).encode())).decode())
        else:
            _write(place, files)

    def _make_room(self, record: GameRecord) -> None:
        """Remove the oldest evidence of another version of the bot, if there is no room for one more."""
        kept = self._kept[_kind(record)]
        others = [each for each in kept if each[0] != _version(record)]
        if len(kept) >= MOST_OF_A_KIND and others:
            kept.remove(others[0])
            _remove(self._folder / others[0][1])


def kept_games(folder: Path) -> list[str]:
    """Return the ids of the games of which there is evidence in `faults/`; links do not count."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    names = {path.name.removesuffix(SEALED) for path in folder.iterdir() if not path.is_symlink()}
    return sorted(filter(_ID.fullmatch, names))


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


def _remove(place: Path) -> None:
    """Remove what arena wrote about a game; what somebody has put beside it stays."""
    place.with_suffix(SEALED).unlink(missing_ok=True)
    if place.is_symlink() or not place.is_dir():
        return
    for name in _FILES:
        (place / name).unlink(missing_ok=True)
    with suppress(OSError):  # it is not empty
        place.rmdir()


def _kind(game: GameRecord | GameRow) -> tuple[str, str, str]:
    return game.loser, game.variant, str(game.ending)


def _version(game: GameRecord | GameRow) -> str:
    """Return the version of the bot that lost, as the log has it."""
    return (game.second_version if game.winner == game.first else game.first_version)[:12]
