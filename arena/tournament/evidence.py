"""Evidence for forfeits: what an author needs to see what happened, and to make it happen again.

`faults/<game>/` has four files: the position in the rule book's look, the request as a bot in another
language would have got it, what the bot printed, and its traceback cut to its own frames. Only the first ten
of a kind are kept: enough to fix a bot, and a limit to what a bot that always fails can write.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from arena.files import make_folder, write_anew
from arena.game import Position, Variant
from arena.hosts.command import move_message
from arena.referee.game import GameRecord, Limits

_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)

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

    def __init__(self, folder: Path, kept: Counter[tuple[str, str, str]]) -> None:
        self._folder = folder
        self._kept = kept

    def is_wanted(self, record: GameRecord) -> bool:
        """Whether there are fewer of its kind than are kept."""
        return self._kept[_kind(record)] < MOST_OF_A_KIND

    def keep(self, record: GameRecord, files: dict[str, str]) -> Path:
        """Write the files about a forfeit; return where."""
        assert _ID.fullmatch(record.game), "the id is used as a folder's name"
        self._kept[_kind(record)] += 1
        place = self._folder / record.game
        make_folder(self._folder)
        make_folder(place)
        for name, text in files.items():
            with write_anew(place / name) as file:
                file.write(text)
        return place


def _kind(record: GameRecord) -> tuple[str, str, str]:
    return record.loser, record.variant, str(record.ending)
