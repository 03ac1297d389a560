"""What is played: boards, rules, variants, positions and how they are written. Pure.

All variants are games on graphs under the normal play convention: the side that cannot move loses. The rules
are Node Kayles, Snort and Col. This room needs only the standard library, and little of it, because every
bot's process imports it.
"""

from arena.game.board import Board
from arena.game.catalogue import RULE_BOOKS, variant
from arena.game.position import Position
from arena.game.rule import RULES, Rule
from arena.game.variant import Variant

__all__ = ["RULES", "RULE_BOOKS", "Board", "Position", "Rule", "Variant", "variant"]
