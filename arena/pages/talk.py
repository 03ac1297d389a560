"""What is said at a board in a browser: the words of the rule book, without the board, which is drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from arena.errors import printable
from arena.game import Position, Variant
from arena.game.dialogue import Dialogue
from arena.plaintext import for_lines, for_terminal
from arena.referee.endings import Outcome

_HERE = "\0"
"""Stands where a rule book would draw the board."""

_DRAWN = re.compile(rf"(?:^[^\n]*:\n)?^[^\n]*{_HERE}[^\n]*\n?", re.M)
"""A board, and the line before it that says that it comes."""

MOST_NAMED = 12
"""Moves in a sentence; the board shows all of them."""


class _Spoken(Dialogue):
    def picture(self, position: Position) -> str:
        return _HERE


class Talk:
    """The words of one game against a bot, which is player 1 or 2; `starter` moves first."""

    def __init__(self, variant: Variant, starter: int, bot_player: int, bot: str) -> None:
        self._dialogue = _Spoken(variant, starter, {bot_player: for_terminal(bot)})
        self._bot, self._bot_side = for_terminal(bot), 0 if bot_player == starter else 1
        self._variant = variant

    def tell(self, position: Position, outcome: Outcome | None, opening_plies: int) -> dict[str, Any]:
        """Return what is said in a position: a headline, and paragraphs about the last moves and the turn."""
        plies = len(position.history)
        said = [] if plies > opening_plies else [self._dialogue.welcome(position)]
        for ply in range(max(opening_plies, plies - 2), plies):
            said.append(self._say_placed(position.history[: ply + 1]))
        if outcome is None:
            said.append(self._say_turn(position))
        elif outcome.ending.is_forfeit:
            said.append(self._say_forfeit(outcome))
        else:
            said.append(self._dialogue.over(position))
        return {"head": self._head(outcome), "said": [text for text in map(_without_board, said) if text]}

    def refuse(self, position: Position, cell: int) -> str:
        """Return why a cell cannot be claimed."""
        reason = "blocked" if position.owner(cell) is None else "taken"
        typed = self._variant.notation.spell(cell)
        return _without_board(self._dialogue.say_refused(position, reason, typed, cell))

    def _say_turn(self, position: Position) -> str:
        said = _without_board(self._dialogue.turn(position))
        # Some books have no more than the question for a move, and some ask twice.
        return said or self._dialogue.prompts(position)[0].rstrip(": ") + "."

    def _say_placed(self, cells: Sequence[int]) -> str:
        side, after = (len(cells) - 1) % 2, self._variant.replay(cells)
        said = _without_board(self._dialogue.say_placed(after))
        said = said or f"{self._dialogue.name(side)} claimed {after.name(cells[-1])}."
        # Some books speak to whoever has moved, and here a bot's moves are told to the other player.
        return re.sub(r"\bYou\b", self._bot, said) if side == self._bot_side else said

    def _say_forfeit(self, outcome: Outcome) -> str:
        name = self._dialogue.name
        why = f"{name(1 - outcome.winner)} forfeits: {outcome.ending}, {printable(outcome.detail, 300)}."
        return f"{why}\n{name(outcome.winner)} wins the game!"

    def _head(self, outcome: Outcome | None) -> str:
        if outcome is None:
            return "Your turn"
        return f"{self._bot} wins" if outcome.winner == self._bot_side else "You win"


def _without_board(text: str) -> str:
    """Return a text without boards, with single line breaks."""
    return re.sub(r"\n{2,}", "\n", for_lines(_DRAWN.sub("", text))).strip()


def say_solution(position: Position, found: Mapping[str, Any], budget: int, starter: int = 1) -> str:
    """Return in sentences who wins a position, as far as that is known within a budget of positions."""
    stones = position.variant.notation.style.stones
    mover, other = stones if position.to_move == starter - 1 else stones[::-1]
    if position.is_over:
        return f"The game is over: {mover} has no move, {other} has won."
    limit = f"within the budget of {budget:,} positions" if budget else "on so large a board"
    if found["winner"] is None:
        return f"Who wins is not known {limit}."
    if found["winner"] != position.to_move:
        return f"{other} wins with perfect play: {mover} is to move, and every move loses."
    rest = f" Not known {limit}: {_name(position, found['unknown'])}." if found["unknown"] else ""
    if not found["winning"]:
        return f"{mover}, who is to move, wins with perfect play.{rest}"
    if len(found["winning"]) == len(position.legal_moves):
        return f"{mover}, who is to move, wins with perfect play, with any move."
    only = " only" if len(found["winning"]) == 1 and not rest else ""
    return (
        f"{mover}, who is to move, wins with perfect play{only} by {_name(position, found['winning'])}.{rest}"
    )


def _name(position: Position, cells: Sequence[int]) -> str:
    more = f" and {len(cells) - MOST_NAMED} more" if len(cells) > MOST_NAMED else ""
    return ", ".join(map(position.name, cells[:MOST_NAMED])) + more
