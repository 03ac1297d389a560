"""What can be played and solved in a run: its variants and the rule books, and its bots, read from its log.

A secret variant is not among them before the run is over. The rule books always are, all of them: they are
everybody's, and one that were missing would be known to be the secret one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError
from arena.field import read_limits
from arena.game import Variant, variant
from arena.game.catalogue import RULE_BOOKS
from arena.log.archive import kept_variant
from arena.log.cache import state_of
from arena.pages.play import make_play_page
from arena.referee.game import Limits
from arena.results.run import Run
from arena.web.asking import Refused
from arena.web.desk import Desk, Share
from arena.web.feed import Page, address_of, pack
from arena.web.shelf import Made, Shelf

OFFERS = 1 / 60
"""The share of a core for reading what the runs offer."""

REST_SECONDS = 5.0
"""While a run goes on, what it offers is read anew at most so often."""

MOST_OFFERS = 8
"""So many runs are kept ready."""


class Opponent(NamedTuple):
    """A bot that can be played against, within the limits of its tournament."""

    name: str
    version: str
    limits: Limits


class Offer(NamedTuple):
    """What a run offers."""

    folder: Path
    own: list[Variant]
    books: list[Variant]
    bots: dict[str, Opponent]

    def find_variant(self, name: str) -> Variant:
        """Return a variant by its name; Refused if this run offers none of that name."""
        for each in (*self.own, *self.books):
            if each.name == name:
                return each
        raise Refused(404, "There is no such variant here.")

    def find_bot(self, name: str) -> Opponent:
        """Return a bot by its name; Refused if this run has none of that name."""
        if name not in self.bots:
            raise Refused(404, "There is no such bot in this run.")
        return self.bots[name]


def read_offer(folder: Path) -> Offer:
    """Return what a run offers; ArenaError if its log cannot be read."""
    run = Run(folder, is_whole=False)
    field, limits = run.field, read_limits(run.field.limits)
    assert limits is not None, "a field has none but limits"
    with run.log() as log:
        own = [kept_variant(log, *named) for named in field.variants if named[0] in run.variants]
    names = {each.name for each in own}
    bots = {
        name: Opponent(name, full[:12], limits._replace(solver=limits.solver or name in field.keep_solver))
        for name, full in sorted(field.bots.items())
    }
    return Offer(folder, own, [variant(name) for name in RULE_BOOKS if name not in names], bots)


class Kept(NamedTuple):
    """An offer, and the page that shows it."""

    offer: Offer
    page: Page


class Offers:
    """What the runs of a server offer, read at a desk of its own and kept for a while.

    `hosts` says of a name whether it is that of the server's contest.
    """

    def __init__(
        self, can_play: bool, can_solve: bool, hosts: Callable[[str], bool] = lambda name: False
    ) -> None:
        self._desk, self._kept = Desk(), Shelf[Kept](Share(OFFERS), MOST_OFFERS, REST_SECONDS)
        self._can_play, self._can_solve, self._hosts = can_play, can_solve, hosts

    async def read(self, folder: Path) -> Kept:
        """Return what a run offers; Refused if it cannot be read, or if too much is asked for."""

        async def make() -> Made[Kept]:
            state = state_of(folder)
            kept, seconds = await self._desk.compute(lambda: self._read(folder))
            return Made(kept, state, seconds)

        try:
            return await self._kept.get(folder, lambda: state_of(folder), make)
        except (ArenaError, OSError):
            raise Refused(503, "This run cannot be read now.") from None

    def _read(self, folder: Path) -> Kept:
        offer = read_offer(folder)
        html = make_play_page(
            folder.name,
            address_of(folder.name),
            offer.own,
            offer.books,
            list(offer.bots),
            (self._can_play, self._can_solve),
            self._hosts(folder.name),
        )
        return Kept(offer, pack(html))
