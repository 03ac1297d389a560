"""arena: tournaments for bots that play small games in which whoever cannot move loses."""

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

# Public names from the upper floors, imported when first used: a bot's process needs the kernel alone.
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
