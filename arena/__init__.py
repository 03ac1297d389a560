"""arena: tournaments for bots of small two-player games; the player who cannot move loses (normal play)."""

from typing import TYPE_CHECKING, Any

from arena.errors import ArenaError, IllegalMove, UserError
from arena.game import Board, Position, Variant, variant

if TYPE_CHECKING:
    from arena.library import play_game
    from arena.referee.game import GameRecord, Limits
    from arena.results.finding import open_run as open
    from arena.results.run import Run
    from arena.runs import run
    from arena.solver import Solution, solve

__version__ = "0.1.0"

__all__ = [
    "ArenaError",
    "Board",
    "GameRecord",
    "IllegalMove",
    "Limits",
    "Position",
    "Run",
    "Solution",
    "UserError",
    "Variant",
    "open",
    "play_game",
    "run",
    "solve",
    "variant",
]

# Public names from the upper floors. They are imported on first use: a bot's process needs only the kernel.
_LATER = {
    "GameRecord": "arena.referee.game.GameRecord",
    "Limits": "arena.referee.game.Limits",
    "Run": "arena.results.run.Run",
    "Solution": "arena.solver.Solution",
    "open": "arena.results.finding.open_run",
    "play_game": "arena.library.play_game",
    "run": "arena.runs.run",
    "solve": "arena.solver.solve",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    from importlib import import_module

    module, _, wanted = _LATER[name].rpartition(".")
    return getattr(import_module(module), wanted)


def __dir__() -> list[str]:
    """Return what is public, also what is imported on first use: what the Tab key offers."""
    return [*__all__, "__version__"]
