"""One game between a reader and a bot: the position is here, the bot in a child, and the referee decides."""

from __future__ import annotations

import asyncio
import os
import secrets
from typing import Any, NamedTuple

from arena.errors import IllegalMove
from arena.game import Position, Variant
from arena.game.definition import define
from arena.pages.talk import Talk
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import longest_wait
from arena.referee.judge import claim, end_of, judge, no_start
from arena.web.asking import Refused
from arena.web.children import Child, ChildLost
from arena.web.offers import Offer, Opponent

START_SECONDS = 120.0
"""A child starts in half a second; longer on a machine that is busy with a tournament."""

SLACK_SECONDS = 30.0
"""A host gives up by itself; so much later its child is lost."""

NO_SANDBOX = (
    "Nobody can play against bots here: this machine cannot run them in a sandbox. "
    "`arena doctor` tells whoever runs this server what is missing."
)


class Seating(NamedTuple):
    """Who plays what: the reader is `player` 1 or 2, and `starter` moves first."""

    offer: Offer
    variant: Variant
    opponent: Opponent
    player: int
    starter: int
    opening: tuple[int, ...] = ()

    @property
    def side(self) -> int:
        """The side of the reader."""
        return 0 if self.player == self.starter else 1


class Game:
    """One game; `child` is None when it is over."""

    def __init__(self, seating: Seating, address: str, child: Child) -> None:
        self.id, self.seating, self.address = secrets.token_hex(16), seating, address
        self.child: Child | None = child
        self.position = replay(seating)
        self.outcome: Outcome | None = end_of(self.position) if self.position.is_over else None
        self.why = ""  # it has ended, if it was not played to its end
        self.busy = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None  # ends it; none while the bot is asked
        self._charged = 0.0  # seconds of the bot
        bot_player = 3 - seating.player
        self.talk = Talk(seating.variant, seating.starter, bot_player, seating.opponent.name)

    @property
    def memory_mib(self) -> int:
        """How much its bot may have."""
        return self.seating.opponent.limits.memory_mib

    async def start(self) -> None:
        """Have the bot started; ChildLost if that fails by no fault of its own."""
        assert self.child is not None
        folder, opponent, variant = self.seating.offer.folder, self.seating.opponent, self.seating.variant
        limits = opponent.limits
        told = {
            "folder": os.path.abspath(folder),
            "bot": opponent.name,
            "version": opponent.version,
            "variant": variant.name,
            "definition": define(variant),
            "side": 1 - self.seating.side,
            "limits": limits.by_key(),
        }
        begun = await self.child.ask(told, START_SECONDS + longest_wait(limits.start_seconds))
        if begun["state"] == "no sandbox":
            raise Refused(503, NO_SANDBOX)
        if begun["state"] == "refused":
            raise Refused(503, "This bot cannot play here: the log of the run does not have its files.")
        if begun["state"] != "ready":
            raise ChildLost(str(begun.get("why")))
        if begun["failure"]:
            self.outcome = no_start(1 - self.seating.side, begun["failure"][1])

    async def let_bot_move(self) -> None:
        """Ask the bot, if it is its turn, and let the referee judge; ChildLost if nobody answers."""
        if self.outcome is not None or self.position.to_move == self.seating.side:
            return
        assert self.child is not None
        limits = self.seating.opponent.limits
        left = limits.game_seconds - self._charged
        seconds = longest_wait(min(limits.move_seconds, left)) + SLACK_SECONDS
        got = await self.child.ask({"moves": self.position.history, "seconds_left": left}, seconds)
        if got["state"] != "moved":
            raise ChildLost(str(got.get("why")))
        reply = Reply(got["move"], got["cpu"], got["wall"], _read_failure(got["failure"]), got["idle"])
        self.position, self.outcome = judge(self.position, reply, limits, self._charged)
        self._charged += reply.cpu_seconds + reply.idle_seconds

    def claim(self, cell: int) -> str:
        """Make the reader's move; return why not in the words of the rule book, nothing if it is made."""
        if self.position.to_move == self.seating.side and cell not in self.position.legal_moves:
            return self.talk.refuse(self.position, cell)
        self.position, self.outcome = claim(self.position, cell)
        return ""

    def tell(self, **more: Any) -> dict[str, Any]:
        """Return what the page is told."""
        outcome = self.outcome
        return {
            "game": self.id,
            "moves": self.position.history,
            "side": self.seating.side,
            "winner": None if outcome is None else outcome.winner,
            "ending": "" if outcome is None else outcome.ending.value,
            **self.talk.tell(self.position, outcome, len(self.seating.opening)),
            **more,
        }


def replay(seating: Seating) -> Position:
    """Return the position that a game begins with; Refused if its opening cannot be made."""
    try:
        return seating.variant.replay(seating.opening)
    except IllegalMove:
        raise Refused(400, "These moves cannot be made one after the other.") from None


def _read_failure(found: list[str] | None) -> Failure | None:
    return None if found is None else Failure(Ending(found[0]), found[1])
