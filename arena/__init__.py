"""arena: tournaments for bots that play small games in which whoever cannot move loses."""

from arena.errors import ArenaError, IllegalMove, UserError
from arena.game import Board, Position, Variant, variant

__version__ = "0.1.0"

__all__ = ["ArenaError", "Board", "IllegalMove", "Position", "UserError", "Variant", "variant"]
