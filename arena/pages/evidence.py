"""What bots printed and where their code failed, for a page that is made with `--evidence`.

It is read from `faults/`, which has it for the first forfeits of each kind. It quotes sources and may be
long, so it is never in a page unless it was asked for, and then within limits. The folder may be
a stranger's: links are not followed, and no more is read than is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.files import is_plain_file

if TYPE_CHECKING:
    from arena.results.run import Run

FILES = {"printed.txt": "it printed", "traceback.txt": "its code failed"}
MOST_OF_A_FILE = 4_000
MOST_IN_ALL = 400_000
"""How many letters of each file, and of all together, a page has."""


def read_printed(run: Run, bot: str = "") -> dict[str, str]:
    """Return what there is about the forfeits that are shown, of all bots or of one, until the page is full.

    By game. The first line of each text says whose forfeit it was.
    """
    with run.log() as log:
        lost = list(run.leave_out_hidden(log.games(bot, forfeits=True)))
    found, room = {}, MOST_IN_ALL
    for game in lost:
        parts = list(_read(run.folder / "faults" / game.game))
        text = "\n\n".join([f"{game.loser}: {game.ending} on {game.variant}, game {game.game}", *parts])
        if parts and len(text) <= room:
            found[game.game] = text
            room -= len(text)
    return found


def _read(folder: Path) -> Iterator[str]:
    if folder.parent.is_symlink() or folder.is_symlink():
        return
    for name, words in FILES.items():
        text = _read_file(folder / name).strip()
        if text:
            yield f"{words}:\n\n{text}"


def _read_file(file: Path) -> str:
    """Return the beginning of a file, and how much more there is."""
    try:
        if not is_plain_file(file):
            return ""
        with file.open(encoding="utf-8", errors="replace") as opened:
            text = opened.read(MOST_OF_A_FILE)
        return (
            text
            if file.stat().st_size <= len(text.encode())
            else f"{text}\n[cut: there is more in {file.name}]"
        )
    except OSError:
        return ""
