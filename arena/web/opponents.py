"""Games between readers and bots: each has a child in which its bot is, and a position that is kept here.

Few are played at once. A reader has one game: the page names it when it begins another, and then it ends.
Readers who share an address have some, and none of them ends what another is playing: a game makes room for
one more of its address only when its reader has done nothing for a while. A game that nobody goes on with
ends by itself. What has ended is remembered for a while without a child, so that a page that did not hear of
it is told how.

Refused: names that pages make up for their readers. Whoever means harm makes up as many as there are places;
so addresses would count all the same, and the page already knows its own game by an id that nobody guesses.
"""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Iterator, Sequence
from typing import Any

from arena.web.asking import Refused
from arena.web.children import Child, ChildLost
from arena.web.game import Game, Seating, replay

MOST_GAMES, MOST_OF_ADDRESS = 6, 3
"""At once, in all and from one address: a class may share one, and no address has more than half."""

MOST_REMEMBERED = 200
IDLE_SECONDS = 600.0
"""So long after its reader was asked for a move a game ends."""

KEPT_SECONDS = 60.0
"""So long it does not even make room for another of its address."""

SPARE_SECONDS = 120.0
SPARE_PRIORITY = 13
"""While it starts, of which there is one at once: somebody has opened the page and will not wait for long."""

CHILD = "arena.web.opponent_process"

FULL = "So many games are being played here that no more can be begun. Try again in a few minutes."
ENDED = {
    "idle": f"This game has ended, because nothing has happened for {IDLE_SECONDS / 60:.0f} minutes.",
    "replaced": "Nothing had happened in this game for a minute, and another was begun from your address.",
    "left": "This game has ended.",
    "lost": "This game was spoilt by a fault of this server, not of the bot.",
}
UNKNOWN = "This server does not know the game any more; perhaps it was started anew meanwhile."


class Games:
    """All games of a server; used in the thread of its event loop."""

    def __init__(self) -> None:
        self._by_id: dict[str, Game] = {}  # the oldest come first
        self._spare: Child | None = None
        self._timer: asyncio.TimerHandle | None = None

    def warm_up(self) -> None:
        """Have a child ready for somebody who may soon begin a game; one for all, and not for long."""
        if self._spare is None and sum(1 for _ in self._live()) < MOST_GAMES:
            self._spare = Child(CHILD, SPARE_PRIORITY)
            self._timer = asyncio.get_running_loop().call_later(SPARE_SECONDS, self._end_spare)

    def _end_spare(self) -> None:
        spare = self._take_spare()
        if spare is not None:
            spare.end()

    def _take_spare(self) -> Child | None:
        if self._timer is not None:
            self._timer.cancel()
        spare, self._spare = self._spare, None
        return spare if spare is not None and spare.is_alive else None

    async def begin(self, seating: Seating, address: str, instead: str) -> Game:
        """Begin a game, and let the bot move if it is first; `instead` is one that ends with it."""
        if replay(seating).is_over:
            raise Refused(400, "This game is over already.")
        if instead in self._by_id:
            self.end(self._by_id[instead], "left")
        self._make_room(seating, address)
        game = Game(seating, address, self._take_spare() or Child(CHILD))
        self._by_id[game.id] = game
        async with game.busy:
            await self._go_on(game, is_new=True)
        return game

    async def move(self, id: str, ply: int, cell: int) -> dict[str, Any]:
        """Make a reader's move, the bot's after it, and return what the page is told.

        A move that was made already is not made again: its page did not hear of it.
        """
        game = self._find(id)
        async with game.busy:  # a page that asks again waits for the bot, too
            history = game.position.history
            if history[ply : ply + 1] == (cell,) and ply % 2 == game.seating.side:
                return game.tell()
            if game.outcome is not None:
                raise Refused(409, "This game is over.")
            self._require_child(game)
            if ply != len(history) or ply % 2 != game.seating.side:
                raise Refused(409, "That is not your turn.")
            refusal = game.claim(cell)
            if refusal:
                self._wait_for_reader(game)
                return game.tell(refusal=refusal)
            await self._go_on(game)
        return game.tell()

    def leave(self, id: str) -> None:
        """End a game that a reader has left."""
        if id in self._by_id:
            self.end(self._by_id[id], "left")

    def close(self) -> None:
        """End all games."""
        self._end_spare()
        for game in list(self._by_id.values()):
            self.end(game, "left")

    def end(self, game: Game, why: str) -> None:
        """End a game's child; `why` is why it was not played on, if it was not."""
        _stop_waiting(game)
        if game.child is not None:
            game.child.end()
            game.child, game.why = None, why
        over = [id for id, each in self._by_id.items() if each.child is None]
        for id in over[: max(0, len(self._by_id) - MOST_REMEMBERED)]:
            del self._by_id[id]

    async def _go_on(self, game: Game, is_new: bool = False) -> None:
        """Let the bot start and move as far as it is its turn."""
        _stop_waiting(game)
        try:
            if is_new:
                await game.start()
            await game.let_bot_move()
        except ChildLost:
            self.end(game, "lost")
        except Refused:
            self.end(game, "left")
            raise
        self._require_child(game)
        if game.outcome is not None:
            self.end(game, "")
        else:
            self._wait_for_reader(game)

    def _wait_for_reader(self, game: Game) -> None:
        _stop_waiting(game)
        game.timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.end, game, "idle")

    def _find(self, id: str) -> Game:
        game = self._by_id.get(id)
        if game is None:
            raise Refused(404, UNKNOWN)
        return game

    def _require_child(self, game: Game) -> None:
        if game.child is None:
            raise Refused(410, ENDED[game.why])

    def _live(self) -> Iterator[Game]:
        return (game for game in self._by_id.values() if game.child is not None)

    def _make_room(self, seating: Seating, address: str) -> None:
        """End what is idle of an address that has enough; Refused if that or others have all there is."""
        own = [game for game in self._live() if game.address == address]
        if len(own) >= MOST_OF_ADDRESS:
            self.end(_find_idle(own), "replaced")
        live = list(self._live())
        memory = sum(game.memory_mib for game in live) + seating.opponent.limits.memory_mib
        if len(live) >= MOST_GAMES or (live and memory > _half_the_memory()):
            raise Refused(503, FULL)


def _stop_waiting(game: Game) -> None:
    if game.timer is not None:
        game.timer.cancel()
        game.timer = None


def _find_idle(games: Sequence[Game]) -> Game:
    """Return the game whose reader has done nothing for longest; Refused if all are being played."""
    latest = asyncio.get_running_loop().time() - KEPT_SECONDS + IDLE_SECONDS
    ends = {game.timer.when(): game for game in games if game.timer is not None}
    soonest = min(ends, default=math.inf)
    if soonest > latest:
        raise Refused(503, FULL)
    return ends[soonest]


def _half_the_memory() -> float:
    """Return half of this machine's memory in MiB: the other half is a tournament's."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 20) / 2
