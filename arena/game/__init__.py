"""What is played: boards, rules, variants, positions and how they are written. Pure.

Needs nothing but the standard library, and little of it: this room is what a bot's own process imports.
"""

from arena.game.board import Board
from arena.game.catalogue import RULE_BOOKS, variant
from arena.game.position import Position
from arena.game.rule import RULES, Rule
from arena.game.variant import Variant

__all__ = ["RULES", "RULE_BOOKS", "Board", "Position", "Rule", "Variant", "variant"]
