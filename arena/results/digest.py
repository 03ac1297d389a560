"""One hash over all games of a run: equal for equal results, however they were played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from arena.referee.row import GameRow


def digest(games: Iterable[GameRow]) -> str:
    """Return the hash of games in the order of their ids."""
    found = hashlib.sha256()
    for row in games:
        words = (row.game, row.first, row.second, row.winner, row.ending, row.moves)
        found.update(f"{' '.join(words)}\n".encode())
    return found.hexdigest()
