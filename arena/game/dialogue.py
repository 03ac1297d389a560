"""The words of a game between people: what a rule book says at each turn.

Nothing here reads or prints. A `Dialogue` turns positions into the texts of one game; the words come from the
rule book's TOML file. Players are 1 and 2, and Player 1 has the first stone. Sides are 0 and 1; side 0 moves
first. The two differ when Player 2 starts.

Where a bot plays, its name and stone stand for "Player 1". The books speak to people, and people see who
is who. What is closed is drawn on request also where the book has no mark for it: its own look leaves that
to people, but whoever watches bots wants to see why a cell is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import printable
from arena.game.rule import RULES
from arena.plaintext import for_terminal

if TYPE_CHECKING:
    from arena.game.position import Position
    from arena.game.variant import Variant


class Words(NamedTuple):
    """The texts of a rule book, each a template; `PLACEHOLDERS` says which may contain what."""

    welcome: str
    turn: tuple[str, ...]  # before ply 1, 2 ...; the last one stands for all later plies
    prompt: tuple[str, ...]  # one, or one for each number of a move
    placed: str
    refused: str
    over: str
    blocked_none: str
    blocked_one: str
    blocked_many: str
    between_moves: str
    between_neighbours: str
    reasons: dict[str, str]


REASONS = ("empty", "letters", "count", "range", "taken", "blocked")
"""Why a typed move is refused: the reasons of `UnreadableCell`, or the cell is claimed or closed."""

_ALWAYS = ("title", "whom", "player", "stone", "opponent", "opponent_stone")
_BOARD = (*_ALWAYS, "picture", "available", "ranges")

PLACEHOLDERS: dict[str, tuple[str, ...]] = {
    "welcome": _BOARD,
    "turn": _BOARD,
    "prompt": _ALWAYS,
    "placed": (*_BOARD, "cell", "blocked"),
    "refused": (*_ALWAYS, "reason"),
    "over": _BOARD,
    "blocked_none": ("cell",),
    "blocked_one": ("cell", "neighbours"),
    "blocked_many": ("cell", "neighbours"),
    "reasons": ("typed", "cell", "first", "last", "stone", "opponent_stone"),
}
"""For each key of `[dialogue]`, the placeholders that its texts may contain."""


CLOSED = "-"
"""What is closed to whoever moves next, on request, where a rule book does not draw it."""

_WHO = re.compile(r"Player (\{player\}|\{opponent\}|1|2)( \('?\{(?:opponent_)?stone\}'?\))?")
"""A player in a template, with the stone if it follows."""


class Dialogue:
    """The texts of one game in the words of its variant; `starter` is the player who moves first.

    `bots` are the names of bots by player. `draws_closed` marks closed cells where the book does not.
    """

    def __init__(
        self,
        variant: Variant,
        starter: int = 1,
        bots: Mapping[int, str] | None = None,
        draws_closed: bool = False,
    ) -> None:
        self._variant = variant
        self._notation = variant.notation
        self._words = variant.book.words
        self._players = (1, 2) if starter == 1 else (2, 1)
        stones = variant.notation.style.stones
        self._stones = (stones[self._players[0] - 1], stones[self._players[1] - 1])
        self._labels = {
            str(player): f"{name} ({stones[player - 1]})" for player, name in (bots or {}).items()
        }
        self._closed = CLOSED if draws_closed and variant.notation.style.blocked is None else None

    def name(self, side: int) -> str:
        """Return what a side is called: a bot's name with its stone, or Player 1 or 2."""
        player = str(self._players[side])
        return self._labels.get(player, f"Player {player}")

    def picture(self, position: Position) -> str:
        """Return the board as the rule book draws it, with the players' own stones."""
        return self._notation.picture(position, self._stones, self._closed)

    def welcome(self, position: Position) -> str:
        """Return what is said before the first turn."""
        told = self._say(self._words.welcome, self._facts(position))
        return told + f"\nA {self._closed} is closed to whoever moves next.\n" * (self._closed is not None)

    def turn(self, position: Position) -> str:
        """Return what is said before the side to move is asked."""
        turns = self._words.turn
        return self._say(turns[min(len(position.history), len(turns) - 1)], self._facts(position))

    def prompts(self, position: Position) -> tuple[str, ...]:
        """Return the question for a move, or one question for each of its numbers."""
        return tuple(self._say(prompt, self._facts(position)) for prompt in self._words.prompt)

    def say_placed(self, position: Position) -> str:
        """Return what is said about the claim that led to this position."""
        cell = position.history[-1]
        facts = self._facts(position) | self._people(1 - position.to_move)
        facts |= {"cell": position.name(cell), "blocked": self._say_blocked(cell)}
        return self._say(self._words.placed, facts)

    def over(self, position: Position) -> str:
        """Return what is said when the side to move cannot claim; `opponent` has won."""
        return self._say(self._words.over, self._facts(position))

    def say_refused(self, position: Position, reason: str, typed: str, cell: int | None = None) -> str:
        """Return the refusal of a typed text, for one of `REASONS`; `cell` is what it stood for."""
        people = self._people(position.to_move)
        why = self._words.reasons[reason].format(
            typed=printable(typed),
            cell="" if cell is None else position.name(cell),
            first=self._notation.name(0),
            last=self._notation.name(position.board.size - 1),
            stone=people["stone"],
            opponent_stone=people["opponent_stone"],
        )
        return self._say(self._words.refused, people | {"reason": why})

    def _say(self, template: str, facts: dict[str, str]) -> str:
        """Return a text with its facts, and with the names of bots."""
        if self._labels:
            template = _WHO.sub(lambda who: self._rename(who, facts), template)
        return template.format(**facts)

    def _rename(self, who: re.Match[str], facts: dict[str, str]) -> str:
        label = self._labels.get(who[1].format(**facts))
        if label is None:
            return who[0]
        # "Player 1 is 'X'" of a welcome says the stone itself.
        return label if "{" in who[1] else label.rpartition(" ")[0]

    def _say_blocked(self, cell: int) -> str:
        """Return the sentence about all neighbours of a claim, including those closed before."""
        names = [self._notation.name(other) for other in self._variant.board.neighbours(cell)]
        words = self._words
        template = (words.blocked_none, words.blocked_one, words.blocked_many)[min(len(names), 2)]
        return template.format(
            cell=self._notation.name(cell), neighbours=words.between_neighbours.join(names)
        )

    def _people(self, side: int) -> dict[str, str]:
        return {
            "title": for_terminal(self._variant.book.title),
            "whom": RULES[self._variant.rule].whom,
            "player": str(self._players[side]),
            "stone": self._stones[side],
            "opponent": str(self._players[1 - side]),
            "opponent_stone": self._stones[1 - side],
        }

    def _facts(self, position: Position) -> dict[str, str]:
        names = map(position.name, position.legal_moves)
        return {
            **self._people(position.to_move),
            "picture": self.picture(position),
            "available": self._words.between_moves.join(names),
            "ranges": self._notation.ranges(position.legal_moves),
        }
