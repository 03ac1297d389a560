"""arena: tournaments for bots of small two-player games; the player who cannot move loses (normal play)."""

from typing import TYPE_CHECKING, Any

from arena.errors import ArenaError, IllegalMove, UserError
from arena.game import Board, Position, Variant, variant

if TYPE_CHECKING:
    from arena.hosts.trusted import play_game
    from arena.results.run import Run
    from arena.runs import run
    from arena.solver import Solution, solve

__version__ = "0.1.0"

__all__ = [
    "ArenaError",
    "Board",
    "IllegalMove",
    "Position",
    "Run",
    "Solution",
    "UserError",
    "Variant",
    "play_game",
    "run",
    "solve",
    "variant",
]

# Public names from the upper floors. They are imported on first use: a bot's process needs only the kernel.
_LATER = {
    "play_game": "arena.hosts.trusted",
    "run": "arena.runs",
    "Run": "arena.results.run",
    "solve": "arena.solver",
    "Solution": "arena.solver",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
